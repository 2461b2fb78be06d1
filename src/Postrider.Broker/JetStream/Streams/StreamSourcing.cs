using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>What a stream takes from other streams of its account: its mirror, or its sources.</summary>
/// <remarks>The list is guarded by the stream's lock.</remarks>
internal sealed class StreamSourcing(MessageStream stream)
{
    private List<SourceCopier> _copiers = [];

    /// <summary>How far the mirror is, or null. Locked.</summary>
    public StreamSourceInfo? MirrorInfo() => stream.Config.Mirror is null ? null : _copiers.Select(static copier => copier.Info()).FirstOrDefault();

    /// <summary>How far the sources are, or null. Locked.</summary>
    public IReadOnlyList<StreamSourceInfo>? SourceInfos()
        => stream.Config.SourceList.Count == 0 ? null : [.. _copiers.Select(static copier => copier.Info())];

    /// <summary>Follows what the configuration names, as far as it exists. Not locked.</summary>
    public void Start(SendBatch batch)
    {
        List<SourceCopier> ended;
        List<SourceCopier> copiers;
        lock (stream.Gate)
        {
            if (stream.IsClosed) return;
            var wanted = Wanted();
            var known = new Dictionary<string, SourceCopier>(StringComparer.Ordinal);
            foreach (var copier in _copiers) known[copier.Key] = copier;
            copiers = [.. wanted.Select(source => known.Remove(StreamConfigJson.KeyOf(source), out var copier) ? copier : new SourceCopier(stream, source))];
            var kept = copiers.ToHashSet();
            ended = [.. _copiers.Where(copier => !kept.Contains(copier))];
            _copiers = copiers;
        }
        foreach (var copier in ended) copier.Stop();
        foreach (var copier in copiers)
        {
            try
            {
                copier.Start(batch);
            }
            catch (Exception error)
            {
                copier.OnFailed(error);
            }
        }
    }

    /// <summary>Stops copying. Called without the lock.</summary>
    public void Stop()
    {
        List<SourceCopier> ended;
        lock (stream.Gate)
        {
            ended = _copiers;
            _copiers = [];
        }
        foreach (var copier in ended) copier.Stop();
    }

    private List<StreamSource> Wanted()
        => stream.Config.Mirror is { } mirror ? [mirror] : [.. stream.Config.SourceList];
}
