using System.Globalization;
using System.Text;
using Postrider.Storage.Faults;
using Postrider.Storage.Records;

namespace Postrider.Storage.Files;

/// <summary>A small JSON document on the disk, replaced atomically: a stream's or a consumer's configuration.</summary>
/// <remarks>Shape: the document, a line feed, <c>crc32c:</c> and eight hexadecimal digits, a line feed: readable, and any accidental
/// change is detected. A copy next to it, not flushed, is used when the file is damaged or missing. Thread-safe: no state.
/// Errors: the exceptions of the file system.</remarks>
internal static class MetadataFile
{
    private const string Mark = "\ncrc32c:";
    private const int TrailerBytes = 17;

    /// <summary>The name of the copy.</summary>
    public static string CopyOf(string name) => name + ".copy";

    /// <summary>Writes the document. After a kill the folder has the new or the old one.</summary>
    /// <param name="folder">Its folder.</param>
    /// <param name="name">Its name.</param>
    /// <param name="json">The document.</param>
    /// <param name="flush">What is on the disk on return.</param>
    public static void Write(IStoreFolder folder, string name, ReadOnlySpan<byte> json, MetadataFlush flush = MetadataFlush.All)
    {
        var unfinished = name + ".tmp";
        using (var file = folder.Create(unfinished))
        {
            Write(file, json);
            if (flush != MetadataFlush.None) file.Sync();
        }

        folder.Rename(unfinished, name);
        if (flush == MetadataFlush.All) folder.Sync();
        WriteCopy(folder, name, json);
    }

    /// <summary>Reads the document, or its copy.</summary>
    /// <param name="folder">Its folder.</param>
    /// <param name="name">Its name.</param>
    /// <param name="json">The document; with <see cref="StoreStatus.Damaged"/> the readable part, for operators.</param>
    /// <param name="note">A problem to report although a document was read, or null.</param>
    /// <returns><see cref="StoreStatus.Ok"/>, <see cref="StoreStatus.NotFound"/>, or <see cref="StoreStatus.Damaged"/>.</returns>
    public static StoreStatus TryRead(IStoreFolder folder, string name, out byte[] json, out string? note)
    {
        note = null;
        var status = TryReadOne(folder, name, out json);
        var ofCopy = TryReadOne(folder, CopyOf(name), out var copy);
        try
        {
            if (status == StoreStatus.Ok)
            {
                if (ofCopy != StoreStatus.Ok || !copy.AsSpan().SequenceEqual(json)) WriteCopy(folder, name, json);
            }
            else if (ofCopy == StoreStatus.Ok)
            {
                note = $"{name} is {(status == StoreStatus.NotFound ? "missing" : "damaged")}: its copy was used";
                (status, json) = (StoreStatus.Ok, copy);
                Write(folder, name, json);
            }
        }
        catch (Exception e) when (DiskErrors.IsDiskError(e))
        {
            // The document that was read is valid all the same.
            note = $"{name} or its copy cannot be written: {e.Message}";
        }

        return status;
    }

    private static void WriteCopy(IStoreFolder folder, string name, ReadOnlySpan<byte> json)
    {
        using var file = folder.Create(CopyOf(name));
        Write(file, json);
    }

    private static void Write(IStoreFile file, ReadOnlySpan<byte> json)
    {
        file.Write(0, json);
        file.Write(json.Length, Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{Mark}{Crc32C.Compute(json):x8}\n")));
    }

    private static StoreStatus TryReadOne(IStoreFolder folder, string name, out byte[] json)
    {
        json = [];
        try
        {
            using var file = folder.Open(name, writable: false);
            var bytes = new byte[file.Length];
            file.Read(0, bytes);
            json = bytes.Length < TrailerBytes ? bytes : bytes[..^TrailerBytes];
            var expected = string.Create(CultureInfo.InvariantCulture, $"{Mark}{Crc32C.Compute(json):x8}\n");
            return bytes.AsSpan(json.Length).SequenceEqual(Encoding.ASCII.GetBytes(expected)) ? StoreStatus.Ok : StoreStatus.Damaged;
        }
        catch (Exception e) when (e is FileNotFoundException or DirectoryNotFoundException)
        {
            return StoreStatus.NotFound;
        }
    }
}
