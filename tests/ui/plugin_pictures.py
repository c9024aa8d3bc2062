#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of plugins that come with the window: plugins.jpg and plugins.txt in FOLDER, usually configs/plugins.

A node runs each source, filter and mixer of its list on the same scene: balls that fly through a sunset. A plugin whose
initial values change nothing shows the scene with one of its numbers moved. Some minutes. Needs build/release, ffmpeg and
ImageMagick's montage.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
from measuring import Cluster  # noqa: E402

WIDTH, HEIGHT = 160, 90  # of a picture: PluginStills::kSize
COLUMNS = 12  # PluginStills::kColumns
SCENE = (320, 180)
AT_ONCE = 16  # plugins that run at the same time
SETTLE_SECONDS = 4  # until plugins with a memory have one
SAME = 4  # mean difference of two pictures, of 255, that is not seen
DARK = 40  # a picture without a brighter value is black
LEFT_OUT = {"stream-in", "stream-out", "clip", "still", "capture", "network"}
KEYED = {"keyer"}  # the other picture shows through them

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("programs", help="the folder of the programs")
parser.add_argument("folder", help="gets plugins.jpg and plugins.txt")
options = parser.parse_args()
programs = os.path.abspath(options.programs)


def mixed(a, b, share):
    return tuple(round(x + (y - x) * share) for x, y in zip(a, b))


def sunset(x, y):
    """The colour of a place, both from 0 to 1."""
    hill = 0.72 + 0.06 * abs((x * 5) % 2 - 1) - 0.05 * abs((x * 3 + 0.4) % 2 - 1)
    if y > hill:
        return mixed((34, 82, 60), (8, 26, 34), (y - hill) / (1 - hill))
    if (x - 0.72) ** 2 * 3.16 + (y - 0.5) ** 2 < 0.017:
        return 255, 236, 160
    return mixed((38, 60, 150), (250, 140, 70), (y / hill) ** 1.5)


def ball(x, y, color):
    """A lit ball on nothing, with its transparency."""
    dx, dy = 2 * x - 1, 2 * y - 1
    far = dx * dx + dy * dy
    if far > 1:
        return 0, 0, 0, 0
    light = max(0.0, 1 - ((dx + 0.4) ** 2 + (dy + 0.4) ** 2) / 1.9)
    return (*mixed((20, 10, 20), color, min(1, light * 1.15)), 255)


def write_picture(file, size, channels, color_at):
    with open(file, "wb") as out:
        kind = {3: "RGB", 4: "RGB_ALPHA"}[channels]
        out.write(f"P7\nWIDTH {size[0]}\nHEIGHT {size[1]}\nDEPTH {channels}\nMAXVAL 255\nTUPLTYPE {kind}\nENDHDR\n".encode())
        out.write(bytes(part for y in range(size[1]) for x in range(size[0])
                        for part in color_at((x + 0.5) / size[0], (y + 0.5) / size[1])))


def make_scene(folder):
    write_picture(folder + "/sky.pam", SCENE, 3, sunset)
    colors = {"red": (240, 60, 50), "green": (80, 220, 90), "blue": (70, 130, 255)}
    for name, color in colors.items():
        write_picture(f"{folder}/{name}.pam", (56, 56), 4, lambda x, y, color=color: ball(x, y, color))
    flights = ["overlay=x='30+45*sin(t*PI)':y='20+15*cos(t*PI)'", "overlay=x='125+30*cos(t*PI)':y='95+20*sin(t*PI)'",
               "overlay=x='215-35*sin(t*PI)':y='30+30*sin(2*t*PI)'"]
    graph = f"[0][1]{flights[0]}[a];[a][2]{flights[1]}[b];[b][3]{flights[2]}"
    inputs = [word for name in ("sky", *colors) for word in ("-loop", "1", "-framerate", "20", "-i", f"{folder}/{name}.pam")]
    subprocess.run(["ffmpeg", "-loglevel", "error", *inputs, "-filter_complex", graph, "-t", "2", "-c:v", "libx264", "-crf",
                    "12", "-pix_fmt", "yuv420p", folder + "/scene.mp4"], check=True)


def literal(value):
    return json.dumps(value)


def slot_of(number, plugin, values):
    if plugin["id"] in KEYED:
        return (f'[[submix.slot]]\nname = "k{number}"\nplugin = "{plugin["id"]}"\ninputs = ["scene"]\n'
                f'[[submix.slot]]\nname = "p{number}"\nplugin = "mix"\ninputs = ["other", "k{number}"]\n'
                '[submix.slot.parameters]\nmode = "over"\n')
    inputs = {"source": 0, "filter": 1, "mixer2": 2, "mixer3": 3, "mixer": 2}[plugin["kind"]]
    names = ["scene", "other", "scene"][:inputs]
    lines = ["[[submix.slot]]", f'name = "p{number}"', f'plugin = "{plugin["id"]}"']
    if inputs:
        lines.append(f"inputs = {literal(names)}")
    lines += ["[submix.slot.parameters]"] if values else []
    lines += [f"{literal(name)} = {literal(value)}" for name, value in values.items()]
    return "\n".join(lines) + "\n"


def show_of(trials, first):
    head = (f'[show]\nname = "plugins"\nsize = [{SCENE[0]}, {SCENE[1]}]\nrate = 10\n\n[[node]]\nname = "mix"\n\n'
            '[[submix]]\nname = "all"\nnode = "mix"\n'
            '[[submix.slot]]\nname = "scene"\nplugin = "clip"\n[submix.slot.parameters]\nfile = "scene.mp4"\n'
            '[[submix.slot]]\nname = "other"\nplugin = "pattern"\n')
    return head + "".join(slot_of(number, *trial) for number, trial in enumerate(trials, first))


def pictures_of(cluster, trials):
    """The pixels of each trial, a plugin with values; None if it made no picture."""
    pictures = []
    for first in range(0, len(trials), AT_ONCE):
        some = trials[first:first + AT_ONCE]
        cluster.apply(show_of(some, first))
        time.sleep(SETTLE_SECONDS)
        with concurrent.futures.ThreadPoolExecutor(4) as hands:
            pictures += hands.map(lambda number: snapshot_of(cluster, number), range(first, first + len(some)))
        print(f"{len(pictures)} of {len(trials)}", flush=True)
    return pictures


def snapshot_of(cluster, number):
    file = f"{cluster.folder}/{number}.png"
    for _ in range(4):
        cluster.submix("snapshot", f"all.p{number}", "--width", str(WIDTH), "-o", file)
        if os.path.exists(file):
            return pixels_of(file)
        time.sleep(1)
    return None


def pixels_of(file):
    done = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", file, "-vf", f"scale={WIDTH}:{HEIGHT}", "-f", "rawvideo",
                           "-pix_fmt", "rgb24", "-"], check=True, capture_output=True)
    os.remove(file)
    return done.stdout


def scenes_of(folder):
    """Each frame of the scene: the balls move on between two pictures."""
    done = subprocess.run(["ffmpeg", "-loglevel", "error", "-i", folder + "/scene.mp4", "-vf", f"scale={WIDTH}:{HEIGHT}", "-f",
                           "rawvideo", "-pix_fmt", "rgb24", "-"], check=True, capture_output=True)
    size = WIDTH * HEIGHT * 3
    return [done.stdout[at:at + size] for at in range(0, len(done.stdout), size)]


def tells_nothing(picture, scenes):
    """Black, or the scene as it is."""
    step = 7  # a part of the values is enough
    least = min(sum(abs(x - y) for x, y in zip(picture[::step], scene[::step])) for scene in scenes)
    return max(picture) < DARK or least * step / len(picture) < SAME


def moved_values(plugin):
    """One switch or number of the plugin moved at a time, up or else down."""
    for parameter in plugin["parameters"]:
        name, initial = parameter["name"], parameter["initial"]
        if parameter["type"] == "switch":
            yield {name: not initial}
        if parameter["type"] != "number" or name == "wet":
            continue
        for end in (float(parameter["maximum"]), float(parameter["minimum"])):
            if abs(end - initial) > 1e-6:
                yield {name: initial + 0.6 * (end - initial)}


def show_unseen(cluster, plugins, pictures):
    """Filters and sources whose picture tells nothing get one of their values moved."""
    scenes = scenes_of(cluster.folder)
    unseen = [at for at, plugin in enumerate(plugins) if plugin["kind"] in ("filter", "source") and
              pictures[at] is not None and tells_nothing(pictures[at], scenes)]
    trials = [(at, values) for at in unseen for values in list(moved_values(plugins[at]))[:4]]
    made = pictures_of(cluster, [(plugins[at], values) for at, values in trials])
    for (at, _), picture in zip(trials, made):
        is_better = picture is not None and not tells_nothing(picture, scenes)
        if is_better and tells_nothing(pictures[at], scenes):
            pictures[at] = picture


def write(plugins, pictures, folder):
    os.makedirs(options.folder, exist_ok=True)
    kept = sorted((plugin["id"], picture) for plugin, picture in zip(plugins, pictures) if picture is not None)
    files = []
    for number, (_, picture) in enumerate(kept):
        files.append(f"{folder}/still{number}.ppm")
        with open(files[-1], "wb") as out:
            out.write(f"P6 {WIDTH} {HEIGHT} 255\n".encode() + picture)
    subprocess.run(["montage", *files, "-tile", f"{COLUMNS}x", "-geometry", f"{WIDTH}x{HEIGHT}+0+0", "-background", "black",
                    "-strip", "-sampling-factor", "4:4:4", "-quality", "84", options.folder + "/plugins.jpg"], check=True)
    with open(options.folder + "/plugins.txt", "w", encoding="utf-8") as out:
        out.writelines(id + "\n" for id, _ in kept)


def main():
    with Cluster(programs, 1, realtime="off") as cluster:
        make_scene(cluster.folder)
        listed = json.loads(cluster.submix("--json", "plugins", "--node", "mix"))
        listed = listed.get("plugins", []) if isinstance(listed, dict) else listed
        plugins = [plugin for plugin in listed if plugin["kind"] not in ("", "output") and plugin["id"] not in LEFT_OUT]
        pictures = pictures_of(cluster, [(plugin, {}) for plugin in plugins])
        show_unseen(cluster, plugins, pictures)
        write(plugins, pictures, cluster.folder)
    lacking = [plugin["id"] for plugin, picture in zip(plugins, pictures) if picture is None]
    print(f"{len(plugins) - len(lacking)} pictures; none of: {', '.join(lacking) or '-'}")
    return 1 if lacking else 0


sys.exit(main())
