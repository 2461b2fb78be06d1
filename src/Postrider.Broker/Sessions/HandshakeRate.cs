namespace Postrider.Broker.Sessions;

/// <summary>Limits the number of handshakes per second.</summary>
/// <remarks>Thread-safe. Counted as in nats-server: a second begins with the first handshake after the previous one.</remarks>
internal sealed class HandshakeRate(long limit, TimeProvider time)
{
    private static readonly TimeSpan Window = TimeSpan.FromSeconds(1);

    // Guards the counts.
    private readonly Lock _gate = new();
    private long _windowStart;
    private long _count;
    private long _refused;
    private bool _hasBegun;

    /// <summary>Counts a handshake.</summary>
    /// <param name="refusedBefore">Set when a new second begins: the number of handshakes rejected in the previous one.</param>
    /// <returns>Whether the handshake may begin.</returns>
    public bool TryBegin(out long refusedBefore)
    {
        refusedBefore = 0;
        if (limit <= 0) return true;
        lock (_gate)
        {
            if (!_hasBegun || time.GetElapsedTime(_windowStart) > Window)
            {
                _hasBegun = true;
                _windowStart = time.GetTimestamp();
                _count = 0;
                (refusedBefore, _refused) = (_refused, 0);
            }
            else
            {
                _count++;
            }
            if (_count < limit) return true;
            _refused++;
            return false;
        }
    }
}
