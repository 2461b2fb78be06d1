using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Text;

namespace Postrider.Xml.Elements;

/// <summary>Bytes sent outside a document, as in XOP: the document contains a reference instead of base64.</summary>
/// <remarks>Belongs to one document. An attachment that was received can be read once: a repeated reference is rejected, so that a small
/// document cannot become a large object. Not thread-safe. Source: XML-binary Optimized Packaging (W3C, 2005).</remarks>
public sealed class XmlAttachments
{
    /// <summary>The namespace of references.</summary>
    public const string Namespace = "http://www.w3.org/2004/08/xop/include";

    private const string Scheme = "cid:";

    private readonly Dictionary<string, ReadOnlyMemory<byte>> _parts = new(StringComparer.Ordinal);
    private readonly int _minBytes;

    /// <summary>Creates an empty set.</summary>
    /// <param name="minBytes">Minimum length when writing: shorter bytes stay in the document.</param>
    public XmlAttachments(int minBytes = 1024) => _minBytes = minBytes;

    /// <summary>The attachments by their content ids, in no particular order.</summary>
    public IReadOnlyDictionary<string, ReadOnlyMemory<byte>> Parts => _parts;

    /// <summary>Adds an attachment that was received.</summary>
    /// <param name="contentId">Its id, without angle brackets.</param>
    /// <param name="bytes">Kept, not copied.</param>
    /// <returns>False if the id is already used.</returns>
    public bool TryAdd(string contentId, ReadOnlyMemory<byte> bytes) => _parts.TryAdd(contentId, bytes);

    /// <summary>Moves bytes out of the document being written.</summary>
    /// <param name="bytes">Kept, not copied.</param>
    /// <param name="contentId">The id to refer to.</param>
    /// <returns>False when they are too short to be worth it.</returns>
    internal bool TryAttach(byte[] bytes, [NotNullWhen(true)] out string? contentId)
    {
        contentId = bytes.Length < _minBytes ? null : string.Create(CultureInfo.InvariantCulture, $"{_parts.Count + 1}@postrider");
        if (contentId is null)
            return false;
        _parts.Add(contentId, bytes);
        return true;
    }

    /// <summary>Returns the bytes of a reference, once.</summary>
    /// <param name="href">The reference as written.</param>
    /// <param name="bytes">The bytes.</param>
    /// <returns>False if there are none with this id, or they were already taken.</returns>
    internal bool TryTake(ReadOnlySpan<byte> href, out ReadOnlyMemory<byte> bytes)
    {
        bytes = default;
        var text = Encoding.UTF8.GetString(href);
        return text.StartsWith(Scheme, StringComparison.OrdinalIgnoreCase)
            && (_parts.Remove(text[Scheme.Length..], out bytes) || _parts.Remove(Uri.UnescapeDataString(text[Scheme.Length..]), out bytes));
    }
}
