namespace Postrider.Rpc;

/// <summary>Binds the parameter of a routed operation to the HTTP request body or, with others, to a property of it.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class FromBodyAttribute : Attribute;
