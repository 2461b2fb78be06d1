namespace Postrider.Broker.Monitoring;

/// <summary>The value of a disabled feature: <c>{}</c>.</summary>
public sealed record EmptyObject;
