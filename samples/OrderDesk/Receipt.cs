namespace Postrider.Samples.OrderDesk;

/// <summary>What the desk answers.</summary>
public sealed record Receipt(int Number, string Text);
