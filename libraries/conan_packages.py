# SPDX-License-Identifier: Apache-2.0
"""A deployer of Conan 2, called by `apus lock`: writes what is in the graph, for apus.lock to be made from."""
import hashlib
import json
import pathlib


def recipe_hash(conanfile):
    """Of the list of a recipe's files and their hashes, without the time of export in its first line."""
    manifest = pathlib.Path(conanfile.recipe_folder or "") / "conanmanifest.txt"
    if not manifest.is_file():
        return ""
    return hashlib.sha256("".join(manifest.read_text().splitlines(True)[1:]).encode()).hexdigest()


def license_of(conanfile):
    named = conanfile.license or ""
    return named if isinstance(named, str) else " AND ".join(named)


def deploy(graph, output_folder, **_):
    lines = []
    for require, package in sorted(graph.root.conanfile.dependencies.items(), key=lambda pair: str(pair[1].ref)):
        if require.build:
            continue
        ref, info = package.ref, package.cpp_info
        file = info.get_property("cmake_file_name") or ref.name
        values = {
            "name": ref.name, "version": str(ref.version), "revision": ref.revision or "",
            "package": package.info.package_id() if package.info else "",
            "sha256": recipe_hash(package), "license": license_of(package), "cmake": file,
            "target": info.get_property("cmake_target_name") or f"{ref.name}::{ref.name}",
            "needs": sorted(d.ref.name for r, d in package.dependencies.direct_host.items()),
        }
        lines.append("[[package]]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items()))
    (pathlib.Path(output_folder) / "packages.toml").write_text("\n".join(lines))
