namespace Postrider.Rpc;

/// <summary>Observes the start and the end of every call. <see cref="CallTracker"/> keeps them in memory.</summary>
/// <remarks>Called on any thread, synchronously within the call: an implementation that stores calls elsewhere should use a queue. An
/// exception fails the call.</remarks>
public interface ICallTracker
{
    /// <summary>Called when a call starts.</summary>
    /// <param name="call">The call; the same object is passed to <see cref="OnEnded"/>.</param>
    void OnBegan(TrackedCall call);

    /// <summary>Called when a call has ended: <see cref="TrackedCall.Status"/> and <see cref="TrackedCall.Duration"/> are
    /// final.</summary>
    /// <param name="call">The call.</param>
    void OnEnded(TrackedCall call);
}
