// SPDX-License-Identifier: GPL-3.0-or-later
#include "node/shader/gl_context.hpp"

#include "node/shader/gl.hpp"

#define EGL_NO_X11
#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <array>
#include <string_view>

namespace submix::shader {
namespace {

constexpr EGLint kDevicesMax = 8;

bool has_extension(EGLDisplay display, std::string_view name) {
  const char* const all = ::eglQueryString(display, EGL_EXTENSIONS);
  return all != nullptr && std::string_view(all).find(name) != std::string_view::npos;
}

EGLDisplay initialized(EGLDisplay display) {
  if (display == EGL_NO_DISPLAY) return EGL_NO_DISPLAY;
  return ::eglInitialize(display, nullptr, nullptr) == EGL_TRUE ? display : EGL_NO_DISPLAY;
}

/// A display of one of the machine's GPUs, for drivers that know no surfaceless platform.
EGLDisplay display_of_device() {
  const auto query =
      reinterpret_cast<PFNEGLQUERYDEVICESEXTPROC>(::eglGetProcAddress("eglQueryDevicesEXT"));
  std::array<EGLDeviceEXT, kDevicesMax> devices{};
  EGLint count = 0;
  if (query == nullptr || query(kDevicesMax, devices.data(), &count) != EGL_TRUE)
    return EGL_NO_DISPLAY;
  for (EGLint i = 0; i < count; ++i) {
    auto* const display = initialized(::eglGetPlatformDisplay(
        EGL_PLATFORM_DEVICE_EXT, devices.at(static_cast<std::size_t>(i)), nullptr));
    if (display != EGL_NO_DISPLAY) return display;
  }
  return EGL_NO_DISPLAY;
}

EGLDisplay open_display() {
  if (has_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
    auto* const display = initialized(
        ::eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr));
    if (display != EGL_NO_DISPLAY) return display;
  }
  return display_of_device();
}

}  // namespace

Result<std::unique_ptr<GlContext>> GlContext::open() {
  auto* const display = open_display();
  if (display == EGL_NO_DISPLAY)
    return fail("no OpenGL without a display: install the packages libegl1 and libgl1-mesa-dri");
  if (::eglBindAPI(EGL_OPENGL_API) != EGL_TRUE) return fail("EGL has no desktop OpenGL");
  auto* const context = ::eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, nullptr);
  if (context == EGL_NO_CONTEXT ||
      ::eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context) != EGL_TRUE)
    return fail("EGL gives no context without a window (error {:#x})", ::eglGetError());
  return std::unique_ptr<GlContext>(new GlContext(display, context));
}

GlContext::GlContext(void* display, void* context) : display_(display), context_(context) {
  const auto* const name = ::glGetString(GL_RENDERER);
  if (name != nullptr) renderer_ = reinterpret_cast<const char*>(name);
}

GlContext::~GlContext() {
  ::eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  ::eglDestroyContext(display_, context_);
  ::eglTerminate(display_);
}

}  // namespace submix::shader
