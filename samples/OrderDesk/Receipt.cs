namespace Postrider.Samples.OrderDesk;

/// <summary>The response of the desk.</summary>
public sealed record Receipt(int Number, string Text);
