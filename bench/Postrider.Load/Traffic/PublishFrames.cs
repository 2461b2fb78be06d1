using System.Globalization;
using System.Text;

namespace Postrider.Load.Traffic;

/// <summary>Publishes to a stream that ask for an acknowledgement, all of one length, rendered before anything is timed.</summary>
/// <remarks>As with real clients, each has a reply subject of its own below one inbox. Frames follow one another in memory.</remarks>
internal sealed class PublishFrames : IDisposable
{
    /// <summary>The inbox below which acknowledgements arrive.</summary>
    public const string Inbox = "_INBOX.loadgeneratorpublishes";

    // More reply subjects than any server remembers.
    private const int Most = 16 * 1024;
    private const int MostBytes = 16 * 1024 * 1024;

    private PublishFrames(FrameBlock block, int frameBytes)
    {
        Block = block;
        FrameBytes = frameBytes;
    }

    public FrameBlock Block { get; }

    public int FrameBytes { get; }

    /// <summary>Frames on one subject.</summary>
    public static PublishFrames On(string subject, int payloadBytes)
        => Render(_ => subject, payloadBytes, Math.Clamp(MostBytes / (payloadBytes + 64), 256, Most));

    /// <summary>Frames numbered from <paramref name="first"/>, each on the subject <see cref="Numbered"/>.</summary>
    public static PublishFrames OnEach(string prefix, int payloadBytes, int first, int count)
        => Render(i => Numbered(prefix, first + i), payloadBytes, count);

    /// <summary>The subject of a number: seven digits.</summary>
    public static string Numbered(string prefix, int number) => prefix + number.ToString("D7", CultureInfo.InvariantCulture);

    public void Dispose() => Block.Dispose();

    private static PublishFrames Render(Func<int, string> subject, int payloadBytes, int count)
    {
        using var bytes = new MemoryStream();
        for (var i = 0; i < count; i++)
            bytes.Write(Encoding.ASCII.GetBytes($"PUB {subject(i)} {Inbox}.{i:x7} {payloadBytes}\r\n{FrameRenderer.Payload(payloadBytes, 0, i)}\r\n"));

        return new PublishFrames(new FrameBlock(bytes.GetBuffer().AsSpan(0, (int)bytes.Length), count), (int)(bytes.Length / count));
    }
}
