using System.Threading.Channels;

namespace Postrider.Flow.Sources;

/// <summary>Reads a channel; others may read it too.</summary>
internal struct ChannelSourceReader<TItem>(ChannelReader<TItem> channel) : IAsyncReader<TItem>
{
    private CancellationToken _ct;

    public void Open(CancellationToken ct) => _ct = ct;

    public readonly bool TryRead(out TItem item, out ValueTask<bool> more)
    {
        if (channel.TryRead(out item!))
        {
            more = default;
            return true;
        }
        more = channel.WaitToReadAsync(_ct);
        return false;
    }

    public readonly bool TryTake(out TItem item) => channel.TryRead(out item!);

    public readonly ValueTask CloseAsync() => default;
}
