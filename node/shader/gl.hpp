// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The system's OpenGL with all its functions (libOpenGL of GLVND exports them).
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
