namespace Postrider.Client.Sessions;

/// <summary>Counts connections that ended shortly after their handshake: without a delay before the next one, a server that ends each of them
/// would be connected to a thousand times a second.</summary>
/// <param name="time">The client's clock.</param>
/// <remarks>Not thread-safe: one connection follows the other.</remarks>
internal sealed class EarlyEnds(TimeProvider time)
{
    private static readonly TimeSpan s_early = TimeSpan.FromSeconds(2);
    private long _connected;
    private int _count;

    /// <summary>A connection begins.</summary>
    public void Connected() => _connected = time.GetTimestamp();

    /// <summary>It has ended.</summary>
    /// <returns>How many in a row ended early; 0 if this one did not.</returns>
    public int Ended() => _count = time.GetElapsedTime(_connected) < s_early ? _count + 1 : 0;
}
