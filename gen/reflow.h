/* reflow: breaks the lines of C that placeholders made too long, as somebody who types would. */
#ifndef GK_GEN_REFLOW_H
#define GK_GEN_REFLOW_H

#include "gen/text.h"

/* Appends the source. Where one of the lines that an open parenthesis joins has more than 120 columns, they are laid
 * out anew: broken after a comma or an operator, and aligned with what stands behind the parenthesis. */
void gk_reflow(struct gk_text *text, const char *source);

#endif
