// faiss.cpp - the same search by faiss IndexFlatL2: nearest_faiss QUERIES REFERENCES SIZE THREADS
#include <cstdint>
#include <faiss/IndexFlat.h>
#include <omp.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    long nq = atol(argv[1]), nr = atol(argv[2]), size = atol(argv[3]);
    omp_set_num_threads(atoi(argv[4]));
    std::minstd_rand random(1);
    std::vector<float> q(nq * size), b(nr * size), distances(nq * 30);
    std::vector<int64_t> labels(nq * 30);
    for (float &x : q) x = (float)(random() % 256);
    for (float &x : b) x = (float)(random() % 256);
    faiss::IndexFlatL2 index(size);
    index.add(nr, b.data());
    auto begun = std::chrono::steady_clock::now();
    index.search(nq, q.data(), 30, distances.data(), labels.data());
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    std::printf("{\"pairs_per_second\":%.1f}\n", (double)nq * (double)nr / seconds);
}
