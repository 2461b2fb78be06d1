namespace Postrider.CommandLine.Terminal;

/// <summary>Files that are written whole: they get their names at the end, so a command that fails leaves the previous file in place.</summary>
internal static class WholeFile
{
    /// <summary>Writes a file.</summary>
    /// <param name="path">The file; a device is written directly.</param>
    /// <param name="write">Writes the content.</param>
    /// <exception cref="IOException">The file cannot be written.</exception>
    internal static async Task<T> WriteAsync<T>(string path, Func<Stream, Task<T>> write)
    {
        if (Directory.Exists(path)) throw new IOException($"'{path}' is a folder: name a file in it.");
        if (Path.GetDirectoryName(Path.GetFullPath(path)) is { } folder && !Directory.Exists(folder)) throw new IOException($"The folder '{folder}' does not exist.");
        if (path.StartsWith("/dev/", StringComparison.Ordinal))
        {
            await using var device = File.OpenWrite(path);
            return await write(device);
        }

        // The file that a link leads to is replaced, not the link.
        var target = File.Exists(path) ? File.ResolveLinkTarget(path, returnFinalTarget: true)?.FullName ?? path : path;
        var part = $"{target}.{Environment.ProcessId}.part";
        try
        {
            T result;
            await using (var file = File.Create(part)) result = await write(file);
            if (!OperatingSystem.IsWindows() && File.Exists(target)) File.SetUnixFileMode(part, File.GetUnixFileMode(target));
            File.Move(part, target, overwrite: true);
            return result;
        }
        finally
        {
            File.Delete(part);
        }
    }
}
