namespace Postrider.Rpc;

/// <summary>The caller waits until the message is handed over, not until it is handled; it learns of no failure after that.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OneWayAttribute : Attribute;
