using System.Text;

namespace Postrider.UnitTests.Xml;

/// <summary>Changes good XML by chance: bytes, cuts, gaps, and pieces that mean something.</summary>
/// <param name="pieces">Pieces beyond those of every document.</param>
/// <param name="cutsOneOf">A document's end is cut off by one in so many of the changes that may do it.</param>
internal sealed class ChangedXml(IEnumerable<string> pieces, int cutsOneOf = 1)
{
    private readonly byte[][] _pieces =
    [
        .. new[]
        {
            "<", ">", "/", "&", "&amp;", "&#65;", "&x;", "\"", "'", "=", " ", "<!--", "-->", "<![CDATA[", "]]>", "<!DOCTYPE a>", "<?a ?>", "xmlns", ":", "i:nil='true'", "\r\n", "<a>", "</a>", "<a/>",
            "\u00e4", "0", "-", "1e9",
        }.Concat(pieces).Select(Encoding.UTF8.GetBytes),
        [0], [0xFF], [0xC3], [0xEF, 0xBB, 0xBF],
    ];

    /// <summary>Makes one to three changes to a copy.</summary>
    /// <param name="random">Chance.</param>
    /// <param name="document">The good one.</param>
    /// <returns>The copy, in an array that may be longer.</returns>
    public (byte[] Bytes, int Length) Of(Random random, byte[] document)
    {
        var bytes = new byte[document.Length + 64];
        document.CopyTo(bytes, 0);
        var length = document.Length;
        for (var changes = random.Next(1, 4); changes > 0; changes--)
        {
            var at = random.Next(length);
            switch (random.Next(5))
            {
                case 0:
                    bytes[at] = (byte)random.Next(256);
                    break;
                case 1 when random.Next(cutsOneOf) == 0:
                    length = Math.Max(1, at);
                    break;
                case 2:
                    var gone = Math.Min(random.Next(1, 12), length - at);
                    bytes.AsSpan(at + gone, length - at - gone).CopyTo(bytes.AsSpan(at));
                    length = Math.Max(1, length - gone);
                    break;
                default:
                    var piece = _pieces[random.Next(_pieces.Length)];
                    if (length + piece.Length > bytes.Length)
                        break;
                    bytes.AsSpan(at, length - at).CopyTo(bytes.AsSpan(at + piece.Length));
                    piece.CopyTo(bytes, at);
                    length += piece.Length;
                    break;
            }
        }

        return (bytes, length);
    }
}
