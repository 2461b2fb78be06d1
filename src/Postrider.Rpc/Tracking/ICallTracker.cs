namespace Postrider.Rpc;

/// <summary>Is told of every call as it begins and as it ends. <see cref="CallTracker"/> keeps them in memory.</summary>
/// <remarks>Called by any thread, in the call's own time: an implementation that stores calls elsewhere hands them to a queue. What it throws
/// fails the call.</remarks>
public interface ICallTracker
{
    /// <summary>A call began.</summary>
    /// <param name="call">The call; the same object is given to <see cref="OnEnded"/>.</param>
    void OnBegan(TrackedCall call);

    /// <summary>A call has ended: <see cref="TrackedCall.Status"/> and <see cref="TrackedCall.Duration"/> stay as they are.</summary>
    /// <param name="call">The call.</param>
    void OnEnded(TrackedCall call);
}
