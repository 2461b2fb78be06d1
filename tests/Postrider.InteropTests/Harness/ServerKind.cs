namespace Postrider.InteropTests.Harness;

/// <summary>Which server a story is told to.</summary>
public enum ServerKind
{
    /// <summary>Go's nats-server.</summary>
    Go,

    /// <summary>Ours, as its own process.</summary>
    Postrider,
}
