using Postrider.Broker.JetStream.Model;
using Postrider.Sockets;

namespace Postrider.Broker.JetStream.Streams;

/// <summary>The followers that copy a stream's mirror or sources.</summary>
/// <remarks>The list is guarded by the stream's lock.</remarks>
internal sealed class StreamSourcing(MessageStream stream)
{
    private List<ISourceFollower> _followers = [];

    /// <summary>The progress of the mirror, or null. Locked.</summary>
    public StreamSourceInfo? MirrorInfo() => stream.Config.Mirror is null ? null : _followers.Select(static follower => follower.Info()).FirstOrDefault();

    /// <summary>The progress of the sources, or null. Locked.</summary>
    public IReadOnlyList<StreamSourceInfo>? SourceInfos()
        => stream.Config.SourceList.Count == 0 ? null : [.. _followers.Select(static follower => follower.Info())];

    /// <summary>Starts the followers of the configured streams, as far as these exist. Not locked.</summary>
    public void Start(SendBatch batch)
    {
        List<ISourceFollower> ended;
        List<ISourceFollower> followers;
        using (stream.Gate.Hold())
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
    /// <param name="isRemoved">Whether the stream was deleted; else the server stops.</param>
    public void Stop(bool isRemoved)
    {
        List<ISourceFollower> ended;
        using (stream.Gate.Hold())
        {
            ended = _followers;
            _followers = [];
        }
        foreach (var follower in ended) follower.Stop(isRemoved);
    }

    private ISourceFollower Follow(StreamSource source)
        => stream.Account.Engine.FollowSource?.Invoke(stream, source) ?? throw new InvalidOperationException("The engine has no factory for source followers.");

    private List<StreamSource> Wanted()
        => stream.Config.Mirror is { } mirror ? [mirror] : [.. stream.Config.SourceList];
}
