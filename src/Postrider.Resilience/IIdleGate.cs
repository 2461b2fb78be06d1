namespace Postrider.Resilience;

/// <summary>A gate that reports whether removing it would lose its state.</summary>
internal interface IIdleGate
{
    /// <summary>True when the gate is in the state of a new one.</summary>
    bool IsIdle { get; }
}
