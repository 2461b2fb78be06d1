using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>What a stream takes from other streams: its mirror, or its sources.</summary>
/// <remarks>The list is guarded by the stream's lock.</remarks>
internal sealed class StreamSourcing(MessageStream stream)
{
    private List<ISourceFollower> _followers = [];

    /// <summary>How far the mirror is, or null. Locked.</summary>
    public StreamSourceInfo? MirrorInfo() => stream.Config.Mirror is null ? null : _followers.Select(static follower => follower.Info()).FirstOrDefault();

    /// <summary>How far the sources are, or null. Locked.</summary>
    public IReadOnlyList<StreamSourceInfo>? SourceInfos()
        => stream.Config.SourceList.Count == 0 ? null : [.. _followers.Select(static follower => follower.Info())];

    /// <summary>Follows what the configuration names, as far as it exists. Not locked.</summary>
    public void Start(SendBatch batch)
    {
        List<ISourceFollower> ended;
        List<ISourceFollower> followers;
        lock (stream.Gate)
        {
            if (stream.IsClosed) return;
            var wanted = Wanted();
            var known = new Dictionary<string, ISourceFollower>(StringComparer.Ordinal);
            foreach (var follower in _followers) known[follower.Key] = follower;
            followers = [.. wanted.Select(source => known.Remove(StreamConfigJson.KeyOf(source), out var follower) ? follower : Follow(source))];
            var kept = followers.ToHashSet();
            ended = [.. _followers.Where(follower => !kept.Contains(follower))];
            _followers = followers;
        }
        foreach (var follower in ended) follower.Stop(isRemoved: true);
        foreach (var follower in followers)
        {
            try
            {
                follower.Start(batch);
            }
            catch (Exception error)
            {
                follower.OnFailed(error);
            }
        }
    }

    /// <summary>Stops copying. Called without the lock.</summary>
    /// <param name="isRemoved">Whether the stream is deleted; else the server stops.</param>
    public void Stop(bool isRemoved)
    {
        List<ISourceFollower> ended;
        lock (stream.Gate)
        {
            ended = _followers;
            _followers = [];
        }
        foreach (var follower in ended) follower.Stop(isRemoved);
    }

    private ISourceFollower Follow(StreamSource source)
        => stream.Account.Engine.FollowSource?.Invoke(stream, source) ?? throw new InvalidOperationException("The engine has nothing that copies sources.");

    private List<StreamSource> Wanted()
        => stream.Config.Mirror is { } mirror ? [mirror] : [.. stream.Config.SourceList];
}
