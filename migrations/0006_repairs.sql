-- 0006: what the reviews of measurement and files asked for. Conventions: 0001.

---------------------------------------------------------------- the seal


---------------------------------------------------------------- predictions and their sources


---------------------------------------------------------------- frequencies, views and sampling


---------------------------------------------------------------- near-duplicates and the pool as of an event


---------------------------------------------------------------- the bias of matching


---------------------------------------------------------------- blind review, picks, campaigns


---------------------------------------------------------------- files of published studies


