using System.Globalization;
using System.Text;

namespace Postrider.Broker.Storage;

/// <summary>A small JSON document on the disk, replaced at one stroke: a stream's or a consumer's configuration.</summary>
/// <remarks>Shape: the document, a line feed, <c>crc32c:</c> and eight hexadecimal digits, a line feed: readable, and any change
/// by accident is noticed. Thread-safe: no state. Errors: what the disk throws.</remarks>
internal static class MetadataFile
{
    private const string Mark = "\ncrc32c:";
    private const int TrailerBytes = 17;

    /// <summary>Writes the document; on return the disk has it, or still the one before.</summary>
    public static void Write(IStoreFolder folder, string name, ReadOnlySpan<byte> json)
    {
        var trailer = Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $"{Mark}{Crc32C.Compute(json):x8}\n"));
        var unfinished = name + ".tmp";
        using (var file = folder.Create(unfinished))
        {
            file.Write(0, json);
            file.Write(json.Length, trailer);
            file.Sync();
        }

        folder.Rename(unfinished, name);
        folder.Sync();
    }

    /// <summary>Reads the document.</summary>
    /// <returns><see cref="StoreStatus.Ok"/>, <see cref="StoreStatus.NotFound"/>, or <see cref="StoreStatus.Damaged"/> with what
    /// there is in <paramref name="json"/>, for people.</returns>
    public static StoreStatus TryRead(IStoreFolder folder, string name, out byte[] json)
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
