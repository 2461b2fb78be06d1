namespace Postrider.Resilience;

/// <summary>A gate that can say whether forgetting it would lose anything.</summary>
internal interface IIdleGate
{
    /// <summary>True when the gate is in the state of a new one.</summary>
    bool IsIdle { get; }
}
