// SPDX-License-Identifier: GPL-3.0-or-later
// Runs a fuzz target on its seeds, on files, and on mutations of both. See README.md.
#include "tests/fuzz/mutator.hpp"
#include "tests/fuzz/target.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
extern "C" void __sanitizer_set_death_callback(void (*callback)());
#endif

namespace submix::fuzz {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr const char* kFailedInput = "failed-input";  // in the working folder

struct Options {
  std::uint64_t seed = std::random_device()();
  std::uint64_t first_run = 0;
  std::uint64_t runs = 0;
  unsigned seconds = 0;
  unsigned limit_ms = 2000;  // limit for one input
  std::size_t bytes_max = 64 << 10;
  std::string write_folder;
  std::vector<std::string> files;
};

// State    that the signal handler may read.
const std::string* present_input = nullptr;
std::array<char, 160> present_name{};

void say(const char* text) {
  static_cast<void>(!::write(STDERR_FILENO, text, std::char_traits<char>::length(text)));
}

void save_present_input() {
  if (present_input == nullptr) return;
  say("\nfailed at ");
  say(present_name.data());
  say("; its input is kept as ");
  say(kFailedInput);
  say("\n");
  const int file = ::open(kFailedInput, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file >= 0) static_cast<void>(!::write(file, present_input->data(), present_input->size()));
}

[[noreturn]] void end_by_signal(int signal) {
  if (signal == SIGPROF) say("\ntoo slow");
  save_present_input();
  ::_exit(128 + signal);
}

void catch_signals() {
  static std::array<char, 64 << 10> stack;  // the main stack may have overflowed
  const stack_t other{.ss_sp = stack.data(), .ss_flags = 0, .ss_size = stack.size()};
  ::sigaltstack(&other, nullptr);
  struct sigaction action{};
  action.sa_handler = end_by_signal;
  action.sa_flags = SA_ONSTACK;
  ::sigaction(SIGPROF, &action, nullptr);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_set_death_callback(save_present_input);
#else
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    ::sigaction(signal, &action, nullptr);
#endif
}

// Measures processor time, so that a busy machine makes no input slow.
void set_alarm(unsigned limit_ms) {
  const itimerval limit{{0, 0},
                        {limit_ms / 1000, static_cast<suseconds_t>(limit_ms % 1000) * 1000}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

double processor_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

class Runs {
 public:
  explicit Runs(const Options& options) : options_(options) {}

  void take(const std::string& input, const std::string& name) {
    const auto end = std::min(name.size(), present_name.size() - 1);
    std::copy_n(name.begin(), end, present_name.begin());
    present_name.at(end) = '\0';
    present_input = &input;
    set_alarm(options_.limit_ms);
    const double begin = processor_ms();
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    const double took = processor_ms() - begin;
    set_alarm(0);
    present_input = nullptr;
    ++count_;
    if (took <= slowest_ms_) return;
    slowest_ms_ = took;
    slowest_ = name;
  }

  void report() const {
    fmt::print("{} inputs, none failed; slowest {:.1f} ms of processor time: {}\n", count_,
               slowest_ms_, slowest_);
  }

 private:
  const Options& options_;
  std::uint64_t count_ = 0;
  double slowest_ms_ = 0.0;
  std::string slowest_;
};

std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<fs::path> files_of(const std::vector<std::string>& names) {
  std::vector<fs::path> files;
  for (const fs::path name : names) {
    if (!fs::is_directory(name)) {
      files.push_back(name);
      continue;
    }
    for (const auto& entry : fs::recursive_directory_iterator(name)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

void write_seeds(const fs::path& folder) {
  fs::create_directories(folder);
  int number = 0;
  for (const auto& seed : seeds())
    std::ofstream(folder / fmt::format("seed-{:02}", number++), std::ios::binary) << seed;
}

void run_mutated(const Options& options, const Mutator& mutator, Runs& runs) {
  const auto end = Clock::now() + std::chrono::seconds(options.seconds);
  for (auto run = options.first_run;; ++run) {
    const bool is_over =
        options.runs > 0 ? run - options.first_run >= options.runs : Clock::now() >= end;
    if (is_over) return;
    std::seed_seq both{options.seed, options.seed >> 32, run, run >> 32};
    std::mt19937_64 random(both);
    const auto input = mutator.make(random);
    runs.take(input, fmt::format("--seed {} --first {} --runs 1", options.seed, run));
  }
}

int run_all(const Options& options) {
  catch_signals();
  Runs runs(options);
  auto corpus = seeds();
  for (std::size_t i = 0; i < corpus.size(); ++i)
    runs.take(corpus[i], fmt::format("seed {}", i));
  for (const auto& file : files_of(options.files)) {
    corpus.push_back(text_of(file));
    runs.take(corpus.back(), file.string());
  }
  fmt::print("{} inputs of the corpus; seed {}\n", corpus.size(), options.seed);
  static_cast<void>(std::fflush(stdout));
  if (corpus.empty()) return EXIT_FAILURE;
  if (options.runs > 0 || options.seconds > 0)
    run_mutated(options, {corpus, options.bytes_max}, runs);
  runs.report();
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace submix::fuzz

int main(int count, char** words) {
  submix::fuzz::Options options;
  CLI::App app(
      "Runs one fuzz target: on its seeds, on FILES (or all in a folder), then on mutations of "
      "them");
  app.add_option("--seconds", options.seconds, "mutate for so long");
  app.add_option("--runs", options.runs, "or so many times");
  app.add_option("--seed", options.seed,
                 "of the mutations; else another one each time, which is printed");
  app.add_option("--first", options.first_run, "the mutation to begin with, as a failure names it");
  app.add_option("--limit-ms", options.limit_ms, "processor time that one input may take")
      ->capture_default_str();
  app.add_option("--bytes-max", options.bytes_max, "of one input")->capture_default_str();
  app.add_option("--write", options.write_folder,
                 "write the seeds into a folder, as files, and end");
  app.add_option("FILES", options.files);
  CLI11_PARSE(app, count, words);
  if (options.write_folder.empty()) return submix::fuzz::run_all(options);
  submix::fuzz::write_seeds(options.write_folder);
  return EXIT_SUCCESS;
}
