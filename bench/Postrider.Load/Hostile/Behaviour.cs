namespace Postrider.Load.Hostile;

/// <summary>One thing that a hostile client does.</summary>
/// <param name="Name">Its name in the report.</param>
/// <param name="Run">Does it for as long as <see cref="Attack.More"/> says.</param>
internal sealed record Behaviour(string Name, Action<Attack> Run);
