#include "plain.c"
