using System.Globalization;
using System.Text;

namespace Postrider.CommandLine.Wsdl;

/// <summary>Writes contracts and their types in C#.</summary>
internal sealed class ContractText
{
    private readonly StringBuilder _text = new();

    private ContractText()
    {
    }

    internal static string Write(IReadOnlyList<ServiceText> services, IReadOnlyList<Declaration> types, string? space)
    {
        var text = new ContractText();
        text.Line("// Written by 'postrider wsdl2cs'. References: Postrider.Compat.ServiceModel; generators: Postrider.Rpc.Generator, Postrider.Xml.Generator.");
        text.Line("#nullable enable");
        foreach (var used in (string[])["System", "System.Collections.Generic", "System.Runtime.Serialization", "System.ServiceModel", "System.Threading", "System.Threading.Tasks", "Postrider.Rpc", "Postrider.Xml"])
            text.Line($"using {used};");
        text.Line();
        if (space is not null)
            text.Line($"namespace {space};").Line();
        foreach (var service in services)
            text.Service(service);
        foreach (var type in types)
            text.Type(type);
        return text._text.ToString().TrimEnd() + "\n";
    }

    private static string Quoted(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (var c in text)
            quoted.Append(c is '"' or '\\' ? "\\" + c : c < ' ' || c is '\u2028' or '\u2029' or '\u0085' ? string.Create(CultureInfo.InvariantCulture, $"\\u{(int)c:X4}") : c.ToString());
        return quoted.Append('"').ToString();
    }

    // Text of the description must not end the comment.
    private static string Comment(string text)
        => string.Join(' ', text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)).Replace("&", "&amp;", StringComparison.Ordinal).Replace("<", "&lt;", StringComparison.Ordinal);

    private static string DefaultAction(ServiceText service, OperationText operation)
        => service.Namespace + (service.Namespace.EndsWith('/') ? "" : "/") + service.PortType + "/" + operation.Name;

    private ContractText Line(string line = "")
    {
        _text.Append(line).Append('\n');
        return this;
    }

    // Each member is followed by an empty line, except the last.
    private void Close()
    {
        while (_text[^1] == '\n' && _text[^2] == '\n')
            _text.Length--;
        Line("}").Line();
    }

    private void Service(ServiceText service)
    {
        Line($"/// <summary>The contract {Comment(service.PortType)}{(service.Addresses.Count > 0 ? " at " + Comment(string.Join(", ", service.Addresses)) : "")}.</summary>");
        Line($"[ServiceContract(Name = {Quoted(service.PortType)}, Namespace = {Quoted(service.Namespace)})]");
        Line($"public interface {service.Name}").Line("{");
        var methods = new Identifiers();
        foreach (var operation in service.Operations)
            Operation(service, operation, methods.TakePascal(operation.Name));
        Close();
        Line("/// <summary>Knows the contract's types.</summary>");
        Line($"[XmlSerializable(typeof({service.Name}))]");
        Line($"public sealed partial class {(service.Name[0] == 'I' ? service.Name[1..] : service.Name)}Xml : XmlContext;").Line();
    }

    private void Operation(ServiceText service, OperationText operation, string method)
    {
        if (operation.Documentation is { Length: > 0 } words)
            Line($"    /// <summary>{Comment(words)}</summary>");
        foreach (var remark in operation.Remarks)
            Line($"    // {Comment(remark)}");
        var settings = new List<string>();
        if (method != operation.Name || method.EndsWith("Async", StringComparison.Ordinal))
            settings.Add($"Name = {Quoted(operation.Name)}");
        if (operation.Action is { } action && action != DefaultAction(service, operation))
            settings.Add($"Action = {Quoted(action)}");
        if (operation.ReplyAction is { } reply && reply != DefaultAction(service, operation) + "Response")
            settings.Add($"ReplyAction = {Quoted(reply)}");
        if (operation.IsOneWay)
            settings.Add("IsOneWay = true");
        Line(settings.Count == 0 ? "    [OperationContract]" : $"    [OperationContract({string.Join(", ", settings)})]");
        if (operation.IsBare)
            Line("    [Bare]");
        foreach (var fault in operation.Faults)
            Line($"    [FaultContract(typeof({fault}))]");

        // The first output element is the result, unless it is also an input.
        var outputs = operation.Outputs.ToList();
        var result = outputs.Count > 0 && (operation.IsBare || !operation.Inputs.Exists(i => i.Element == outputs[0].Element)) ? outputs[0] : null;
        if (result is not null)
            outputs.RemoveAt(0);
        if (result is not null && !operation.IsBare && result.Element != operation.Name + "Result")
            Line($"    [return: MessageParameter(Name = {Quoted(result.Element)})]");
        var parameters = operation.Inputs.Select(p => Parameter(p, outputs.Exists(o => o.Element == p.Element) ? "ref " : ""))
            .Concat(outputs.Where(o => !operation.Inputs.Exists(i => i.Element == o.Element)).Select(o => Parameter(o, "out "))).ToList();
        if (operation.TakesContext)
            parameters.Add("CallContext? context" + (outputs.Count == 0 ? " = null" : ""));
        var isBlocking = outputs.Count > 0;
        var returned = isBlocking ? result?.Type ?? "void" : result is null ? "Task" : $"Task<{result.Type}>";
        if (!isBlocking && !operation.IsOneWay)
            parameters.Add("CancellationToken ct = default");
        Line($"    {returned} {Identifiers.Escape(method)}{(isBlocking || method.EndsWith("Async", StringComparison.Ordinal) ? "" : "Async")}({string.Join(", ", parameters)});").Line();
    }

    private static string Parameter(ParameterText parameter, string passing)
        => (parameter.Name == parameter.Element ? "" : $"[MessageParameter(Name = {Quoted(parameter.Element)})] ") + $"{passing}{parameter.Type} {Identifiers.Escape(parameter.Name)}";

    private void Type(Declaration type)
    {
        var name = $"Name = {Quoted(type.WireName)}, Namespace = {Quoted(type.Namespace)}";
        switch (type.Kind)
        {
            case DeclarationKind.Enumeration or DeclarationKind.Flags:
                if (type.Kind == DeclarationKind.Flags)
                    Line("[Flags]");
                Line($"[DataContract({name})]").Line($"public enum {Identifiers.Escape(type.Name)}").Line("{");
                for (var i = 0; i < type.Values.Count; i++)
                    Line($"    [EnumMember(Value = {Quoted(type.Values[i].Text)})] {Identifiers.Escape(type.Values[i].Name)}{(type.Kind == DeclarationKind.Flags ? $" = 1 << {i}" : "")},");
                Line("}").Line();
                break;
            case DeclarationKind.Collection:
                Line($"[CollectionDataContract({name}, ItemName = {Quoted(type.Item.Element)})]");
                Line($"public class {Identifiers.Escape(type.Name)} : List<{type.Item.Type}>;").Line();
                break;
            default:
                foreach (var derived in type.Derived)
                    Line($"[KnownType(typeof({derived.Name}))]");
                Line($"[DataContract({name})]");
                Line($"public class {Identifiers.Escape(type.Name)}{(type.Parent is null ? "" : " : " + type.Parent.Name)}").Line("{");
                for (var i = 0; i < type.Members.Count; i++)
                    Member(type.Members[i], i);
                Close();
                break;
        }
    }

    private void Member(MemberText member, int order)
    {
        Line($"    [DataMember(Name = {Quoted(member.Element)}, Order = {order}{(member.IsRequired ? ", IsRequired = true" : member.Type.EndsWith('?') ? ", EmitDefaultValue = false" : "")})]");
        Line($"    public {member.Type} {Identifiers.Escape(member.Name)} {{ get; set; }}").Line();
    }
}
