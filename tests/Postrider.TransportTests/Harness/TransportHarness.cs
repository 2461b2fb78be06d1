using Postrider.Resilience;
using Postrider.Transports;

namespace Postrider.TransportTests.Harness;

/// <summary>A transport with its server, and what the contract needs beyond <see cref="ITransport"/>. One for all tests of an adapter.</summary>
public abstract class TransportHarness : IAsyncLifetime
{
    private static int s_names;

    /// <summary>Failures come again soon.</summary>
    public static RetryPolicy Quick { get; } = AtLeastOnceBinding.DefaultRetry with { MaxAttempts = 3, BaseDelay = TimeSpan.FromMilliseconds(20), MaxDelay = TimeSpan.FromMilliseconds(100) };

    /// <summary>The transport of all tests.</summary>
    public abstract ITransport Transport { get; }

    /// <summary>How many of the messages that a listener returns the server may count as delivered.</summary>
    public abstract int MaxCountedReturns { get; }

    /// <summary>How many messages each of the threads sends that share a sender.</summary>
    public virtual int MessagesOfThread => 25;

    /// <summary>Whether <see cref="Cut"/> does something.</summary>
    public virtual bool HasConnection => true;

    /// <summary>Whether dead letters are listed in the order in which they failed, and not in that of their ids.</summary>
    public virtual bool ListsDeadLettersInOrder => true;

    /// <summary>Whether the destinations of the harness can keep messages back.</summary>
    public virtual bool Delays => Transport.Abilities.HasFlag(TransportAbilities.Delay);

    /// <summary>A destination that no other test uses.</summary>
    public virtual string NewDestination() => NewName();

    /// <summary>Whether a send lasts until its message has been handled, so that its sender learns of a missing listener and of a message
    /// that was given up.</summary>
    public virtual bool SendersWait => false;

    /// <summary>Whether a message can go to two bindings.</summary>
    public virtual bool HasCopies => true;

    /// <summary>Whether dead letters can be listed and sent back.</summary>
    public virtual bool ListsDeadLetters => true;

    /// <summary>Whether several destinations can have their dead letters at the same place.</summary>
    public virtual bool SharesDeadLetters => true;

    /// <summary>A name that no other test uses.</summary>
    public static string NewName() => $"t{Interlocked.Increment(ref s_names)}-{Guid.NewGuid():N}"[..14];

    public abstract ValueTask InitializeAsync();

    public abstract ValueTask DisposeAsync();

    /// <summary>A second transport to the same server, for tests that break it.</summary>
    public abstract ValueTask<ITransport> OpenAsync();

    /// <summary>A third one, whose listeners give their handlers up by a clock; null for a transport that waits for them without a limit.</summary>
    public virtual ValueTask<ITransport?> OpenAsync(TimeProvider time) => new((ITransport?)null);

    /// <summary>A fourth one, to a server that does not answer; null for a transport without a server.</summary>
    public virtual ValueTask<ITransport?> OpenNowhereAsync() => new((ITransport?)null);

    /// <summary>Ends it, with the client that it uses.</summary>
    public virtual ValueTask CloseAsync(ITransport nowhere) => nowhere.DisposeAsync();

    /// <summary>A fifth one, which asks for its credentials whenever it connects, and what decides whether it gets those that the server
    /// accepts; null for a transport without credentials, or one that keeps those of its start.</summary>
    public virtual (ITransport Transport, Action<bool> Decide)? OpenWithCredentials() => null;

    /// <summary>How long a process may be silent until its messages go to another one, of a binding of <see cref="LeaseBinding"/>; null for
    /// a transport that notices a lost connection instead.</summary>
    public virtual TimeSpan? Lease => null;

    /// <summary>A binding with <see cref="Lease"/>.</summary>
    public virtual AtLeastOnceBinding LeaseBinding(string source) => Binding(source);

    /// <summary>Makes what keeps the messages of a destination.</summary>
    public abstract ValueTask CreateAsync(string name);

    /// <summary>Makes what keeps the dead letters of a destination: another destination, unless the transport has a place of its own for
    /// them.</summary>
    public virtual async ValueTask<string> CreateDeadLetterAsync(string destination)
    {
        var name = NewDestination();
        await CreateAsync(name);
        return name;
    }

    /// <summary>Removes it.</summary>
    public abstract ValueTask DeleteAsync(string name);

    /// <summary>A binding of the transport's own kind.</summary>
    public abstract AtLeastOnceBinding Binding(string source);

    /// <summary>A destination, and two bindings that both get what is sent there.</summary>
    public abstract ValueTask<(string Destination, AtLeastOnceBinding First, AtLeastOnceBinding Second)> TwoGroupsAsync();

    /// <summary>Ends the connections of all transports.</summary>
    public abstract void Cut();
}
