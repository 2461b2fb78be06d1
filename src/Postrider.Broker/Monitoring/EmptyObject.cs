namespace Postrider.Broker.Monitoring;

/// <summary>Shown for a feature that is not on: <c>{}</c>.</summary>
public sealed record EmptyObject;
