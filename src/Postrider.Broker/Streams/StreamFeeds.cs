using Postrider.Wire.Sockets;

namespace Postrider.Broker.Streams;

/// <summary>What a stream takes from other streams of its account: its mirror, or its sources.</summary>
/// <remarks>The list is guarded by the stream's lock.</remarks>
internal sealed class StreamFeeds(MessageStream stream)
{
    private List<StreamFeed> _feeds = [];

    /// <summary>How far the mirror is, or null. Locked.</summary>
    public SourceInfo? MirrorInfo() => stream.Config.Mirror is null ? null : _feeds.Select(static feed => feed.Info()).FirstOrDefault();

    /// <summary>How far the sources are, or null. Locked.</summary>
    public IReadOnlyList<SourceInfo>? SourceInfos()
        => stream.Config.SourceList.Count == 0 ? null : [.. _feeds.Select(static feed => feed.Info())];

    /// <summary>Follows what the configuration names, as far as it exists. Not locked.</summary>
    public void Start(SendBatch batch)
    {
        List<StreamFeed> ended;
        List<StreamFeed> feeds;
        lock (stream.Gate)
        {
            if (stream.IsClosed) return;
            var wanted = Wanted();
            ended = [.. _feeds.Where(feed => !wanted.Any(source => feed.IsFor(source)))];
            feeds = [.. wanted.Select(source => _feeds.Find(feed => feed.IsFor(source)) ?? new StreamFeed(stream, source))];
            _feeds = feeds;
        }
        foreach (var feed in ended) feed.Stop();
        foreach (var feed in feeds) feed.Start(batch);
    }

    /// <summary>Follows nobody any more. Not locked.</summary>
    public void Stop()
    {
        List<StreamFeed> ended;
        lock (stream.Gate)
        {
            ended = _feeds;
            _feeds = [];
        }
        foreach (var feed in ended) feed.Stop();
    }

    private List<StreamSource> Wanted()
        => stream.Config.Mirror is { } mirror ? [mirror] : [.. stream.Config.SourceList];
}
