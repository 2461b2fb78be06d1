namespace System.ServiceModel;

/// <summary>Makes a method an operation.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class OperationContractAttribute : Attribute
{
    /// <summary>The operation's name; null for the method's, without Async at the end of one that gives a task.</summary>
    public string? Name { get; set; }

    /// <summary>The action of the call; null for one made of the namespace and the names.</summary>
    public string? Action { get; set; }

    /// <summary>The action of the answer; null for one made of the namespace and the names.</summary>
    public string? ReplyAction { get; set; }

    /// <summary>The caller waits until the message is handed over, not until it is handled.</summary>
    public bool IsOneWay { get; set; }

    /// <summary>The method is the first of a pair, <c>BeginX</c> and <c>EndX</c>; the compiler refuses it, PRR009: a method that gives a task is the same on the wire.</summary>
    public bool AsyncPattern { get; set; }

    /// <summary>The operation may be the first of a session; there are none, and the compiler refuses false, PRR009.</summary>
    public bool IsInitiating { get; set; } = true;

    /// <summary>The operation ends a session; there are none, and the compiler refuses true, PRR009.</summary>
    public bool IsTerminating { get; set; }
}
