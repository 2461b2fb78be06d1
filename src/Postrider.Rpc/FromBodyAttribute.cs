namespace Postrider.Rpc;

/// <summary>Over HTTP the parameter is the body or, with others of its kind, a part of it, where the operation has a route of its own.</summary>
[AttributeUsage(AttributeTargets.Parameter)]
public sealed class FromBodyAttribute : Attribute;
