namespace Postrider.Rpc;

/// <summary>Marks an operation as one-way: the caller waits until the message is sent, not until it is handled, and does not see later
/// failures.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OneWayAttribute : Attribute;
