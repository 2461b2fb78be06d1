using System.Buffers;
using System.Security.Cryptography;
using Microsoft.AspNetCore.Http;

namespace Postrider.Broker.Http;

/// <summary>A monitoring page that is pushed to one listener: its last content, and whether that is new.</summary>
/// <remarks>Not thread-safe.</remarks>
/// <param name="name">The name that the listener uses, with the query: <c>connz?limit=200</c>.</param>
/// <param name="path">The page, such as <c>/connz</c>.</param>
/// <param name="query">The query.</param>
internal sealed class LivePage(string name, string path, IQueryCollection query)
{
    private byte[]? _digest;

    /// <summary>The name that the listener uses.</summary>
    internal string Name => name;

    /// <summary>The content of the last reading if it was new, else null: JSON without line breaks and indentation, or text. A page with more than
    /// <see cref="LivePages.MaxPageBytes"/> is replaced by an empty one with status 413.</summary>
    internal PageContent? News { get; private set; }

    /// <summary>Reads the page.</summary>
    /// <param name="reader">Reads it.</param>
    /// <returns>Whether it differs from the previous reading by more than the time of the reading. The first one does.</returns>
    internal bool HasChanged(PageReader reader)
    {
        var content = reader.Read(path, query) ?? PageContent.OfText("", StatusCodes.Status404NotFound);
        ReadOnlySpan<byte> bytes = content.Bytes;
        var (compact, compared) = (new ArrayBufferWriter<byte>(bytes.Length + 1), new ArrayBufferWriter<byte>(bytes.Length + 2));
        compared.Write([(byte)(content.Status >> 8), (byte)content.Status]);
        // A member of indented JSON has its own line, and strings contain no line breaks.
        foreach (var range in bytes.Split((byte)'\n'))
        {
            var line = content.IsJson ? bytes[range].TrimStart((byte)' ') : bytes[range];
            compact.Write(line);
            if (!IsTime(line)) compared.Write(line);
        }

        var digest = SHA256.HashData(compared.WrittenSpan);
        var isNew = _digest is null || !digest.AsSpan().SequenceEqual(_digest);
        _digest = digest;
        News = !isNew ? null
            : compact.WrittenCount > LivePages.MaxPageBytes ? PageContent.OfText("", StatusCodes.Status413PayloadTooLarge)
            : content with { Bytes = compact.WrittenSpan.ToArray() };
        return isNew;
    }

    // The time of the reading, and that of the information about a stream or a consumer.
    private static bool IsTime(ReadOnlySpan<byte> line) => line.StartsWith("\"now\":"u8) || line.StartsWith("\"ts\":"u8);
}
