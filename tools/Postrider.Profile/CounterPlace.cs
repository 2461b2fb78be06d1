namespace Postrider.Profile;

/// <summary>What is counted and where in a method.</summary>
/// <param name="Kind">The runtime's number of the kind of counter (<see cref="CounterKind"/>).</param>
/// <param name="Offset">The offset in the method's IL.</param>
/// <param name="Count">How many values it has.</param>
/// <param name="Other">A number whose meaning depends on the kind: the offset to which an edge leads.</param>
public readonly record struct CounterPlace(int Kind, int Offset, int Count, int Other);
