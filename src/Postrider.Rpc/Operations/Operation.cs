namespace Postrider.Rpc;

/// <summary>The description of a contract's operation, created by generated code.</summary>
public abstract class Operation
{
    private protected Operation(string service, string name, OperationKind kind, SpecialParameters inputs, IReadOnlyList<FaultDescription> faults)
        => (Service, Name, Kind, Inputs, Faults, Path) = (service, name, kind, inputs, faults, $"{service}/{name}");

    /// <summary>The service's name on the wire.</summary>
    public string Service { get; }

    /// <summary>The operation's name on the wire.</summary>
    public string Name { get; }

    /// <summary>The path <c>service/operation</c>.</summary>
    public string Path { get; }

    /// <summary>The kind of the operation: unary, one-way or streaming.</summary>
    public OperationKind Kind { get; }

    /// <summary>The special parameters of the method.</summary>
    public SpecialParameters Inputs { get; private protected set; }

    /// <summary>Whether the operation is idempotent.</summary>
    public bool IsIdempotent { get; init; }

    /// <summary>The names of the parameters in the request message, in order.</summary>
    public IReadOnlyList<string> ParameterNames { get; init; } = [];

    /// <summary>The names in the response: the result, then the parameters that are passed back.</summary>
    public IReadOnlyList<string> ResultNames
    {
        get => field ?? [Name + "Result"];
        init;
    }

    /// <summary>The declaring contract if it differs from the service's contract; used in the SOAP action.</summary>
    public string? Contract { get; init; }

    /// <summary>Whether SOAP uses the style document/literal bare: parameter and result are not wrapped in an element of the
    /// operation.</summary>
    public bool IsBare { get; init; }

    /// <summary>Whether all values in an HTTP request body are nullable, so that an empty body means null.</summary>
    public bool IsBodyOptional { get; init; }

    /// <summary>The XML namespace of the contract.</summary>
    public string Namespace { get; init; } = "http://tempuri.org/";

    /// <summary>The SOAP action of the request; null to derive it from the namespace and the names.</summary>
    public string? Action { get; init; }

    /// <summary>The SOAP action of the response; null to derive it from the namespace and the names.</summary>
    public string? ReplyAction { get; init; }

    /// <summary>Creates the exception for failures not declared in the contract, from the status, the message and, over SOAP, the local
    /// name of the fault code; null for <see cref="RpcException"/>. Called for every SOAP fault, over other transports only for the
    /// status <see cref="RpcStatus.Internal"/>.</summary>
    public Func<RpcStatus, string, string?, RpcException>? Failure { get; init; }

    /// <summary>Endpoint metadata for the server's framework: ASP.NET Core attributes, for example for authorization.</summary>
    public IReadOnlyList<object> Metadata { get; init; } = [];

    /// <summary>The HTTP route; null for <c>POST service/operation</c>.</summary>
    public abstract HttpRoute? HttpRoute { get; }

    /// <summary>Whether the method has a <see cref="CallContext"/> parameter.</summary>
    public bool TakesContext => (Inputs & SpecialParameters.Context) != 0;

    /// <summary>Whether the method has a <see cref="CancellationToken"/> parameter.</summary>
    public bool TakesToken => (Inputs & SpecialParameters.Token) != 0;

    /// <summary>The declared faults.</summary>
    public IReadOnlyList<FaultDescription> Faults { get; }

    /// <summary>Finds a declared fault by name.</summary>
    /// <param name="name">The fault's name on the wire.</param>
    /// <returns>The fault, or null if the contract does not declare it.</returns>
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
