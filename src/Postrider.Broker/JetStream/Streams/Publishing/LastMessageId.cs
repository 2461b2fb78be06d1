namespace Postrider.Broker.JetStream.Streams.Publishing;

/// <summary>The id of a stream's newest message, and the one that is restored when a commit fails. Guarded by the stream's lock.</summary>
internal sealed class LastMessageId
{
    private Id _newest = new([], 0);
    private Id _committed = new([], 0);
    private bool _isChanged;

    /// <summary>The id; empty when the newest message has none.</summary>
    public ReadOnlySpan<byte> Value => _newest.Value;

    /// <summary>Sets the id of a message that was stored.</summary>
    public void Set(ReadOnlySpan<byte> id)
    {
        if (id.IsEmpty && _newest.Length == 0) return;
        _newest = _newest.With(id);
        _isChanged = true;
    }

    /// <summary>The message is committed.</summary>
    public void Commit()
    {
        if (!_isChanged) return;
        _committed = _committed.With(_newest.Value);
        _isChanged = false;
    }

    /// <summary>The messages since the last commit are lost.</summary>
    public void RollBack()
    {
        if (!_isChanged) return;
        _newest = _newest.With(_committed.Value);
        _isChanged = false;
    }

    private readonly record struct Id(byte[] Bytes, int Length)
    {
        // A longer array than an id usually needs is not kept.
        private const int KeptBytes = 256;

        public ReadOnlySpan<byte> Value => Bytes.AsSpan(0, Length);

        public Id With(ReadOnlySpan<byte> id)
        {
            var bytes = id.Length > Bytes.Length || Bytes.Length > KeptBytes ? new byte[id.Length] : Bytes;
            id.CopyTo(bytes);
            return new Id(bytes, id.Length);
        }
    }
}
