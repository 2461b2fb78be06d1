using System.Globalization;
using System.Text;
using Microsoft.Extensions.Logging;

namespace Postrider.CommandLine.Logging;

/// <summary>Writes log lines to a file; when the file reaches a size limit, it is renamed to a name with the date.</summary>
/// <remarks>Other programs may rename or delete the file meanwhile. Backups are <c>FILE.year.month.day.hour.minute.second.nanosecond</c>.
/// A line that cannot be written goes to standard error with the reason: a full disk must not stop the server.</remarks>
internal sealed class FileTarget : ILogTarget
{
    private const string BackupFormat = "yyyy.MM.dd.HH.mm.ss.fffffff'00'";

    private readonly string _path;
    private readonly long _limitBytes;
    private readonly int _maxFiles;
    private readonly TimeProvider _time;
    private StreamWriter? _writer;
    private long _rotateAtBytes;

    internal FileTarget(string path, long limitBytes, int maxFiles, TimeProvider time)
    {
        _path = path;
        _limitBytes = limitBytes;
        _rotateAtBytes = limitBytes;
        _maxFiles = maxFiles;
        _time = time;
        _writer = Open(path);
    }

    public bool HasColours => false;

    public void WriteLine(LogLevel level, string line)
    {
        try
        {
            _writer ??= Open(_path);
            _writer.WriteLine(line);
            if (_limitBytes > 0 && _writer.BaseStream.Length > _rotateAtBytes)
                Rotate(_writer);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            StandardError.TryWriteLine($"{line} (log file {_path}: {error.Message})");
        }
    }

    public void Dispose() => _writer?.Dispose();

    private void Rotate(StreamWriter full)
    {
        // If it cannot be renamed, the file grows by another limit before the next attempt.
        _rotateAtBytes += _limitBytes;
        _writer = null;
        full.Dispose();
        var backup = $"{_path}.{_time.GetLocalNow().ToString(BackupFormat, CultureInfo.InvariantCulture)}";
        File.Move(_path, backup);
        _rotateAtBytes = _limitBytes;
        _writer = Open(_path);
        if (_maxFiles > 0)
            Purge();
    }

    // The current file counts as one of the kept files.
    private void Purge()
    {
        var directory = Path.GetDirectoryName(Path.GetFullPath(_path))!;
        var prefix = Path.GetFileName(_path) + ".";
        var backups = Directory.EnumerateFiles(directory, prefix + "*")
            .Where(file => DateTime.TryParseExact(Path.GetFileName(file).AsSpan(prefix.Length), BackupFormat, CultureInfo.InvariantCulture, DateTimeStyles.None, out _))
            .Order(StringComparer.Ordinal)
            .ToList();
        foreach (var old in backups.Take(backups.Count - (_maxFiles - 1)))
            File.Delete(old);
    }

    // Unbuffered below the writer, which passes whole lines: a failed line is not written again with the next one.
    private static StreamWriter Open(string path) =>
        new(new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.ReadWrite | FileShare.Delete, bufferSize: 0), new UTF8Encoding(encoderShouldEmitUTF8Identifier: false)) { AutoFlush = true };
}
