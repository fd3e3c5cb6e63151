# Consensus clustering from R: writes a table of base labels, lets the command `quorum` combine them, reads the labels.
# Rscript quorum.R        (the command comes with: python -m pip install quorum-consensus)

set.seed(1)
runs <- sapply(1:20, function(i) kmeans(iris[, 1:4], centers = sample(2:12, 1))$cluster)
table <- data.frame(flower = seq_len(nrow(iris)), runs, species = iris$Species)
write.csv(table, "votes.csv", row.names = FALSE)

out <- "result"
status <- system2("quorum", c("run", "votes.csv", "--role", "flower=id", "species=truth", "'*=label'",
                              "--method", "ec_cms", "--k", "3", "--out", out))
if (status != 0) stop("quorum ended with ", status)  # 2: cannot be used; 3: is there already; 4: too large

labels <- read.csv(file.path(out, "labels.csv"))
print(table(labels$cluster, iris$Species))
print(head(labels[order(labels$certainty), ]))  # the least certain first
