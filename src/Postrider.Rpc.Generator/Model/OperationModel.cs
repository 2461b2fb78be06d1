using System.Collections.Generic;
using System.Linq;
using Postrider.Generators;

namespace Postrider.Rpc.Generator.Model;

/// <summary>How a method returns its result.</summary>
internal enum ReturnShape
{
    ValueTask,
    ValueTaskOfValue,
    Task,
    TaskOfValue,
    Stream,

    /// <summary>By returning: a contract of WCF's.</summary>
    Nothing,

    /// <summary>By returning it: a contract of WCF's.</summary>
    Value,
}

/// <summary>The role of a parameter.</summary>
internal enum ParameterRole
{
    Message,
    Items,
    Context,
    Token,

    /// <summary>Passed back only.</summary>
    Out,
}

/// <summary>A parameter.</summary>
/// <param name="Name">Its name, escaped.</param>
/// <param name="WireName">Its name as text.</param>
/// <param name="Type">Its type; of a stream the item's.</param>
/// <param name="Role">Its role.</param>
/// <param name="Default">Its default value in C#, or empty.</param>
/// <param name="IsRef">It is passed there and back.</param>
/// <param name="IsNullable">Whether its type is nullable.</param>
internal sealed record ParameterModel(string Name, string WireName, string Type, ParameterRole Role, string Default, bool IsRef = false, bool IsNullable = false)
{
    /// <summary>How it is passed, in C#.</summary>
    internal string Passing => Role == ParameterRole.Out ? "out " : IsRef ? "ref " : "";
}

/// <summary>A method of a contract.</summary>
/// <param name="Method">Its name, escaped.</param>
/// <param name="WireName">Its name on the wire.</param>
/// <param name="Kind">A member of <c>OperationKind</c>.</param>
/// <param name="Shape">How it returns its result.</param>
/// <param name="Result">The result type; <c>Unit</c> for none.</param>
/// <param name="Parameters">Its parameters in order.</param>
/// <param name="Faults">The types of its declared faults.</param>
/// <param name="IsIdempotent">Whether it may run twice.</param>
/// <param name="Action">The action of the call, or empty.</param>
/// <param name="ReplyAction">The action of the response, or empty.</param>
/// <param name="Dispatch">The method of <c>DispatcherCalls</c> that its message is passed to, or empty.</param>
/// <param name="Route">Its own path over HTTP, or null.</param>
/// <param name="Metadata">Its metadata for ASP.NET Core, in C#.</param>
/// <param name="IsBare">Whether the message itself is the body in SOAP.</param>
/// <param name="Contract">The contract that declares it if that is not the service's; otherwise empty.</param>
/// <param name="XmlNamespace">The namespace in XML of that contract, or empty.</param>
/// <param name="ResultName">The result's name on the wire, or empty for the default.</param>
internal sealed record OperationModel(
    string Method, string WireName, string Kind, ReturnShape Shape, string Result, EquatableArray<ParameterModel> Parameters, EquatableArray<string> Faults,
    bool IsIdempotent, string Action = "", string ReplyAction = "", string Dispatch = "", RouteModel? Route = null, EquatableArray<string> Metadata = default, bool IsBare = false, string Contract = "", string XmlNamespace = "", string ResultName = "")
{
    internal const string Unit = "global::Postrider.Unit";

    internal IReadOnlyList<ParameterModel> Message => Parameters.Where(p => p.Role == ParameterRole.Message).ToList();

    /// <summary>Whether all parts of a request's body may be null: an HTTP request may then omit the body.</summary>
    internal bool IsBodyOptional
        => Kind is not ("ClientStream" or "Duplex")
            && Message.Where((_, i) => Route is null || Route.Parameters[i].Place.Length == 0).ToList() is { Count: > 0 } body && body.All(p => p.IsNullable);

    /// <summary>The values returned besides the result.</summary>
    internal IReadOnlyList<ParameterModel> Back => Parameters.Where(p => p.Role == ParameterRole.Out || p.IsRef).ToList();

    /// <summary>The type of the message back.</summary>
    internal string Response => Back.Count == 0 ? Result : Result == Unit ? BackFrom(0) : $"global::Postrider.Rpc.RpcArguments<{Result}, {BackFrom(0)}>";

    /// <summary>The item of the stream there, or <c>Unit</c>.</summary>
    internal string Item => Parameters.FirstOrDefault(p => p.Role == ParameterRole.Items)?.Type ?? Unit;

    /// <summary>The type of the message there.</summary>
    internal string Request => Message.Count == 1 ? Message[0].Type : Arguments(0);

    /// <summary>The type of the parameters from one on.</summary>
    internal string Arguments(int from)
        => from == Message.Count ? Unit : $"global::Postrider.Rpc.RpcArguments<{Message[from].Type}, {Arguments(from + 1)}>";

    /// <summary>The type of the returned values from an index on.</summary>
    internal string BackFrom(int from)
        => from == Back.Count ? Unit : $"global::Postrider.Rpc.RpcArguments<{Back[from].Type}, {BackFrom(from + 1)}>";
}
