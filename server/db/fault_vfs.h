/* fault_vfs.h - lets tests make SQLite's disk fail; nothing in builds without FAULT_HOOKS. */
#ifndef DB_FAULT_VFS_H
#define DB_FAULT_VFS_H

#ifdef FAULT_HOOKS
/* Registers, as SQLite's default, a file layer that obeys base/fault.h. Once, before any open. */
void fault_vfs_register(void);
#else
static inline void fault_vfs_register(void) {}
#endif

#endif
