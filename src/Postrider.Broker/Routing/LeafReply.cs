namespace Postrider.Broker.Routing;

/// <summary>Reply subjects between servers that contain a second subject: a consumer's delivery goes to an inbox, is acknowledged on one subject and
/// shows another one, <c>$JS.ACK….@orders.new</c>.</summary>
/// <remarks>Source: nats-server, acknowledgements over leaf nodes.</remarks>
internal static class LeafReply
{
    // The number of dots in an acknowledgement's subject, before the second subject may begin.
    private const int MinDots = 8;

    /// <summary>Whether a reply subject contains the subject to show.</summary>
    public static bool HasShownSubject(ReadOnlySpan<byte> replyTo) => Find(replyTo) >= 0;

    /// <summary>Splits the two subjects.</summary>
    /// <param name="replyTo">The reply subject as received; afterwards without the second subject.</param>
    /// <param name="shownSubject">The subject to show, if there is one; else unchanged.</param>
    public static void Split(ref ReadOnlySpan<byte> replyTo, ref ReadOnlySpan<byte> shownSubject)
    {
        var at = Find(replyTo);
        if (at < 0 || at == replyTo.Length - 1) return;
        shownSubject = replyTo[(at + 1)..];
        replyTo = replyTo[..at];
    }

    /// <summary>Joins the two subjects.</summary>
    public static byte[] Join(ReadOnlySpan<byte> replyTo, ReadOnlySpan<byte> shownSubject) => [.. replyTo, (byte)'@', .. shownSubject];

    private static int Find(ReadOnlySpan<byte> replyTo)
    {
        if (!replyTo.StartsWith("$JS.ACK."u8)) return -1;
        var dots = 0;
        for (var i = 0; i < replyTo.Length; i++)
        {
            if (replyTo[i] == '.') dots++;
            else if (replyTo[i] == '@' && dots >= MinDots) return i;
        }
        return -1;
    }
}
