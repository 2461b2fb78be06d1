namespace System.ServiceModel;

/// <summary>Marks a method as an operation.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OperationContractAttribute : Attribute
{
    /// <summary>The operation's name; null for the method's name, without the suffix Async if it returns a task.</summary>
    public string? Name { get; set; }

    /// <summary>The action of the request; null to derive it from the namespace and the names.</summary>
    public string? Action { get; set; }

    /// <summary>The action of the response; null to derive it from the namespace and the names.</summary>
    public string? ReplyAction { get; set; }

    /// <summary>Whether the operation is one-way: the caller waits until the message is sent, not until it is handled.</summary>
    public bool IsOneWay { get; set; }

    /// <summary>Whether the method is the first of a pair <c>BeginX</c> and <c>EndX</c>. True is a compile-time error (PRR009): a method
    /// that returns a task is the same on the wire.</summary>
    public bool AsyncPattern { get; set; }

    /// <summary>Whether the operation may start a session. Sessions are not supported; false is a compile-time error (PRR009).</summary>
    public bool IsInitiating { get; set; } = true;

    /// <summary>Whether the operation ends a session. Sessions are not supported; true is a compile-time error (PRR009).</summary>
    public bool IsTerminating { get; set; }
}
