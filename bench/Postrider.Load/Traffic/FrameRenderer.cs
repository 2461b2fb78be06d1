using System.Text;
using Postrider.Load.Rows;

namespace Postrider.Load.Traffic;

/// <summary>Renders the frames of a row before anything is timed.</summary>
/// <remarks>Payloads hold digits and lower-case letters only, so that a byte at which a frame should begin tells
/// whether it does: see <see cref="FrameCounter"/>.</remarks>
internal static class FrameRenderer
{
    // 256 KiB stays in a core's second-level cache and is several socket buffers' worth of one system call.
    private const int BlockBytes = 256 * 1024;

    private const int SequenceDigits = 10;

    /// <summary>Whole frames of one publisher, its subjects in turn, to be sent over and over.</summary>
    public static FrameBlock Block(StreamRow row, int publisher)
    {
        var frameBytes = Frame(row, publisher, 0).Length;
        var cycles = Math.Max(1, BlockBytes / (frameBytes * row.SubjectsPerPublisher));
        return Sequence(row, publisher, cycles * row.SubjectsPerPublisher);
    }

    /// <summary>The blocks of all publishers of the row.</summary>
    public static FrameBlock[] Blocks(StreamRow row) => [.. Enumerable.Range(0, row.Publishers).Select(i => Block(row, i))];

    /// <summary>Frames numbered 0 to <paramref name="count"/> - 1 of one publisher.</summary>
    public static FrameBlock Sequence(StreamRow row, int publisher, int count)
    {
        using var bytes = new MemoryStream();
        for (var number = 0; number < count; number++)
            bytes.Write(Frame(row, publisher, number));

        return new FrameBlock(bytes.GetBuffer().AsSpan(0, (int)bytes.Length), count);
    }

    /// <summary>The payload of message <paramref name="number"/>: publisher, number, filler.</summary>
    public static string Payload(int payloadBytes, int publisher, int number)
    {
        var text = $"{publisher:00}{number.ToString("D" + SequenceDigits)}";
        return string.Create(payloadBytes, text, static (span, text) =>
        {
            for (var i = 0; i < span.Length; i++)
                span[i] = i < text.Length ? text[i] : (char)('a' + (i % 26));
        });
    }

    /// <summary>The frame that a subscriber with <paramref name="sid"/> gets for that message.</summary>
    public static byte[] Delivered(StreamRow row, int publisher, int number, string sid)
    {
        var subject = row.Subject(publisher, number % row.SubjectsPerPublisher);
        var headers = row.Headers ?? "";
        var sizes = row.Headers is null ? $"{row.PayloadBytes}" : $"{headers.Length} {headers.Length + row.PayloadBytes}";
        var verb = row.Headers is null ? "MSG" : "HMSG";
        return Encoding.ASCII.GetBytes(
            $"{verb} {subject} {sid} {sizes}\r\n{headers}{Payload(row.PayloadBytes, publisher, number)}\r\n");
    }

    private static byte[] Frame(StreamRow row, int publisher, int number)
    {
        var subject = row.Subject(publisher, number % row.SubjectsPerPublisher);
        var headers = row.Headers ?? "";
        var sizes = row.Headers is null ? $"{row.PayloadBytes}" : $"{headers.Length} {headers.Length + row.PayloadBytes}";
        var verb = row.Headers is null ? "PUB" : "HPUB";
        return Encoding.ASCII.GetBytes(
            $"{verb} {subject} {sizes}\r\n{headers}{Payload(row.PayloadBytes, publisher, number)}\r\n");
    }
}
