using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>What a stream takes from other streams of its account: its mirror, or its sources.</summary>
/// <remarks>The list is guarded by the stream's lock.</remarks>
internal sealed class StreamSourcing(MessageStream stream)
{
    private List<SourceCopier> _feeds = [];

    /// <summary>How far the mirror is, or null. Locked.</summary>
    public StreamSourceInfo? MirrorInfo() => stream.Config.Mirror is null ? null : _feeds.Select(static feed => feed.Info()).FirstOrDefault();

    /// <summary>How far the sources are, or null. Locked.</summary>
    public IReadOnlyList<StreamSourceInfo>? SourceInfos()
        => stream.Config.SourceList.Count == 0 ? null : [.. _feeds.Select(static feed => feed.Info())];

    /// <summary>Follows what the configuration names, as far as it exists. Not locked.</summary>
    public void Start(SendBatch batch)
    {
        List<SourceCopier> ended;
        List<SourceCopier> feeds;
        lock (stream.Gate)
        {
            if (stream.IsClosed) return;
            var wanted = Wanted();
            var known = new Dictionary<string, SourceCopier>(StringComparer.Ordinal);
            foreach (var feed in _feeds) known[feed.Key] = feed;
            feeds = [.. wanted.Select(source => known.Remove(StreamConfigJson.KeyOf(source), out var feed) ? feed : new SourceCopier(stream, source))];
            var kept = feeds.ToHashSet();
            ended = [.. _feeds.Where(feed => !kept.Contains(feed))];
            _feeds = feeds;
        }
        foreach (var feed in ended) feed.Stop();
        foreach (var feed in feeds)
        {
            try
            {
                feed.Start(batch);
            }
            catch (Exception error)
            {
                feed.Failed(error);
            }
        }
    }

    /// <summary>Follows nobody any more. Not locked.</summary>
    public void Stop()
    {
        List<SourceCopier> ended;
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
