namespace Postrider.Rpc;

/// <summary>An operation of a contract, as the generator describes it.</summary>
public abstract class Operation
{
    private protected Operation(string service, string name, OperationKind kind, SpecialParameters inputs, IReadOnlyList<FaultDescription> faults)
        => (Service, Name, Kind, Inputs, Faults, Path) = (service, name, kind, inputs, faults, $"{service}/{name}");

    /// <summary>The service's name on the wire.</summary>
    public string Service { get; }

    /// <summary>The operation's name on the wire.</summary>
    public string Name { get; }

    /// <summary>Both: <c>service/operation</c>.</summary>
    public string Path { get; }

    /// <summary>What goes to and fro.</summary>
    public OperationKind Kind { get; }

    /// <summary>What the method takes besides its message: for others nothing is made.</summary>
    public SpecialParameters Inputs { get; private protected set; }

    /// <summary>Running it twice is as good as once.</summary>
    public bool IsIdempotent { get; init; }

    /// <summary>The names of the parameters that are the message there, in order.</summary>
    public IReadOnlyList<string> ParameterNames { get; init; } = [];

    /// <summary>The names of what goes back: the result's, then those of parameters that are passed back.</summary>
    public IReadOnlyList<string> ResultNames
    {
        get => field ?? [Name + "Result"];
        init;
    }

    /// <summary>The contract that declares it, where that is another than the service's: SOAP's action has its name.</summary>
    public string? Contract { get; init; }

    /// <summary>In SOAP the one parameter and the result stand in the body themselves, without an element of the operation around them.</summary>
    public bool IsBare { get; init; }

    /// <summary>Whatever the body of a request over HTTP has may be null: an empty body stands for null.</summary>
    public bool IsBodyOptional { get; init; }

    /// <summary>The contract's namespace in XML.</summary>
    public string Namespace { get; init; } = "http://tempuri.org/";

    /// <summary>The SOAP action of the request; null to derive it from the namespace and the names.</summary>
    public string? Action { get; init; }

    /// <summary>The SOAP action of the response; null to derive it from the namespace and the names.</summary>
    public string? ReplyAction { get; init; }

    /// <summary>Makes what the caller throws of a failure that the contract does not name, from how the call ended, the words and, over SOAP,
    /// the code's local name; null for <see cref="RpcException"/>. Over SOAP it is asked for every fault, elsewhere for those of the status
    /// <see cref="RpcStatus.Internal"/>.</summary>
    public Func<RpcStatus, string, string?, RpcException>? Failure { get; init; }

    /// <summary>What the contract says of it to the server's framework: attributes of ASP.NET Core, for authorization for example.</summary>
    public IReadOnlyList<object> Metadata { get; init; } = [];

    /// <summary>Its own path over HTTP; null for <c>POST service/operation</c>.</summary>
    public abstract HttpRoute? HttpRoute { get; }

    /// <summary>The method has a parameter for the <see cref="CallContext"/>.</summary>
    public bool TakesContext => (Inputs & SpecialParameters.Context) != 0;

    /// <summary>The method has a parameter for the token.</summary>
    public bool TakesToken => (Inputs & SpecialParameters.Token) != 0;

    /// <summary>The failures that the contract names.</summary>
    public IReadOnlyList<FaultDescription> Faults { get; }

    /// <summary>The failure of a name, or null.</summary>
    /// <param name="name">The fault's name on the wire.</param>
    /// <returns>The fault, when the contract names it.</returns>
    public FaultDescription? FindFault(string? name)
    {
        foreach (var fault in Faults)
        {
            if (fault.Name == name)
                return fault;
        }

        return null;
    }
}
