using System.Linq;
using Microsoft.CodeAnalysis.CSharp;
using Postrider.Generators;
using Postrider.Rpc.Generator.Model;

namespace Postrider.Rpc.Generator.Emitting;

/// <summary>Writes an operation's own path over HTTP.</summary>
internal static class RouteEmitter
{
    private const string Library = "global::Postrider.Rpc.";

    /// <summary>The fields that hold the parameters.</summary>
    internal static void Parameters(SourceWriter source, RouteModel route, int number)
    {
        for (var i = 0; i < route.Parameters.Count; i++)
        {
            var parameter = route.Parameters[i];
            if (parameter.Place.Length == 0)
                continue;
            var type = $"{Library}{(parameter.List.Length > 0 ? "HttpListParameter" : "HttpScalarParameter")}<{parameter.Type}>";
            var rest = parameter.List.Length > 0 ? parameter.Missing : $"{(parameter.IsRequired ? "true" : "false")}, {parameter.Missing}";
            source.Line($"private static readonly {type} {Field(number, i)} = new {type}({Library}HttpParameterSource.{parameter.Place}, {Text(parameter.Name)}, {parameter.Text}, {rest});");
        }
    }

    /// <summary>The route in C#.</summary>
    internal static string Route(OperationModel operation, RouteModel route, int number)
    {
        var all = Enumerable.Range(0, route.Parameters.Count).ToList();
        var body = all.Where(i => route.Parameters[i].Place.Length == 0).ToList();
        var beside = all.Except(body).ToList();
        var fill = string.Concat(beside.Select(i => $"{Field(number, i)}.Write(target, {Argument(operation, i)}); "));
        var types = body.Count == 0 ? OperationModel.Unit : body.Count == 1 ? operation.Message[body[0]].Type : Types(operation, body, 0);
        return $"new {Library}HttpRoute<{operation.Request}, {types}>({Text(route.Method)}, {Text(route.Template)}, "
            + $"new {Library}HttpParameter[] {{ {string.Join(", ", beside.Select(i => Field(number, i)))} }}, static codec => {Formatter(operation, body, 0)}, "
            + $"static (target, request) => {{ {fill}}}, static request => {Take(operation, body, 0)}, static (inputs, body) => {Join(operation, route, body, number, 0)})";
    }

    private static string Field(int operation, int parameter) => $"Parameter{operation}_{parameter}";

    /// <summary>A parameter as a part of the message.</summary>
    private static string Argument(OperationModel operation, int i)
        => operation.Message.Count == 1 ? "request" : "request." + string.Concat(Enumerable.Repeat("Rest.", i)) + "First";

    private static string Types(OperationModel operation, System.Collections.Generic.List<int> body, int from)
        => from == body.Count ? OperationModel.Unit : $"global::Postrider.Rpc.RpcArguments<{operation.Message[body[from]].Type}, {Types(operation, body, from + 1)}>";

    private static string Formatter(OperationModel operation, System.Collections.Generic.List<int> body, int from)
        => from == body.Count ? $"codec.GetFormatter<{OperationModel.Unit}>()"
        : body.Count == 1 ? $"codec.GetFormatter<{operation.Message[body[0]].Type}>()"
        : $"codec.Combine({Text(operation.Message[body[from]].WireName)}, codec.GetFormatter<{operation.Message[body[from]].Type}>(), {Formatter(operation, body, from + 1)})";

    private static string Take(OperationModel operation, System.Collections.Generic.List<int> body, int from)
        => body.Count == 0 ? $"default({OperationModel.Unit})"
        : body.Count == 1 ? Argument(operation, body[0])
        : from == body.Count ? "default"
        : $"new {Types(operation, body, from)}({Argument(operation, body[from])}, {Take(operation, body, from + 1)})";

    private static string Join(OperationModel operation, RouteModel route, System.Collections.Generic.List<int> body, int number, int from)
    {
        if (from == operation.Message.Count)
            return operation.Message.Count == 0 ? $"default({OperationModel.Unit})" : "default";
        var at = body.IndexOf(from);
        var value = at < 0 ? $"{Field(number, from)}.{(route.Parameters[from].List is { Length: > 0 } list ? list : "Read")}(inputs)"
            : body.Count == 1 ? "body" : "body." + string.Concat(Enumerable.Repeat("Rest.", at)) + "First";
        return operation.Message.Count == 1 ? value : $"new {operation.Arguments(from)}({value}, {Join(operation, route, body, number, from + 1)})";
    }

    private static string Text(string text) => SymbolDisplay.FormatLiteral(text, quote: true);
}
