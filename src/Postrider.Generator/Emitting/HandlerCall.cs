using System.Collections.Generic;
using System.Linq;
using Postrider.Generator.Model;

namespace Postrider.Generator.Emitting;

/// <summary>The expression that calls a handler, and the fields that its step keeps for it.</summary>
internal sealed class HandlerCall
{
    private const string Tasks = "global::System.Threading.Tasks.";
    private const string State = "global::Postrider.Dispatch.CallState.";

    private readonly HandlerModel _handler;
    private readonly string _response;
    private readonly string _call;
    private readonly List<(string Type, string Name, string Value)> _fields = [];

    internal HandlerCall(EntryModel entry, HandlerModel handler, HandlerInstances instances, bool isNotification)
    {
        _handler = handler;
        _response = entry.Response;
        var services = Services(entry, isNotification);
        var receiver = "";
        if (!handler.IsStatic)
        {
            var owner = handler.Owner;
            switch (owner.Lifetime)
            {
                case Lifetime.Singleton:
                    _fields.Add((owner.Full, "_handler", "module." + instances.Singleton(owner, "root")));
                    receiver = "_handler";
                    break;
                case Lifetime.Transient when !owner.IsDisposable:
                    receiver = HandlerInstances.New(owner, owner.Full, [], services, Root());
                    break;
                default:
                    receiver = HandlerInstances.Resolve(owner.Full, services);
                    break;
            }
        }

        var arguments = handler.Arguments.Select((argument, i) => argument.Kind switch
        {
            ArgumentKind.Message => "message",
            ArgumentKind.Cancellation => "ct",
            ArgumentKind.Context => State + "Context(state)",
            ArgumentKind.Service when argument.IsSingleton => Captured(argument, i),
            _ => HandlerInstances.Argument(argument, [], services, services),
        });
        _call = handler.Call.Replace("{0}", receiver) + "(" + string.Join(", ", arguments) + ")";
    }

    /// <summary>The expression for the scope's services inside a step.</summary>
    internal static string Services(EntryModel entry, bool isNotification)
        => isNotification ? State + "AnyServices(state)"
            : entry.NeedsContext ? State + "Context(state).Services"
            : State + "Services(state)";

    internal void EmitFields(Source source, string step, string module)
    {
        foreach (var (type, name, _) in _fields)
            source.Line($"private readonly {type} {name};");
        using (source.Block($"internal {step}({module} module, global::System.IServiceProvider root)"))
        {
            foreach (var (_, name, value) in _fields)
                source.Line($"{name} = {value};");
        }
    }

    internal void AddField(string type, string name, string value) => _fields.Add((type, name, value));

    // The root's provider is kept only where something has to be asked of it per call.
    internal string Root()
    {
        if (_fields.All(f => f.Name != "_root"))
            _fields.Add(("global::System.IServiceProvider", "_root", "root"));
        return "_root";
    }

    /// <summary>A statement that returns the response as the pipeline's task.</summary>
    internal string AsRequest() => _handler.Shape switch
    {
        ResultShape.ValueTaskOfValue => $"return {_call};",
        ResultShape.TaskOfValue => $"return new {Tasks}ValueTask<{_response}>({_call});",
        ResultShape.Value => $"return new {Tasks}ValueTask<{_response}>({_call});",
        ResultShape.ValueTask or ResultShape.Task => $"return {State}ToUnit({_call});",
        ResultShape.Sequence => $"return {_call};",
        _ => $"{_call}; return default;",
    };

    internal string AsNotification() => _handler.Shape switch
    {
        ResultShape.ValueTask => $"return {_call};",
        ResultShape.Task or ResultShape.TaskOfValue => $"return new {Tasks}ValueTask({_call});",
        ResultShape.ValueTaskOfValue => $"return new {Tasks}ValueTask({_call}.AsTask());",
        _ => $"{_call}; return default;",
    };

    private string Captured(ArgumentModel argument, int index)
    {
        var name = "_service" + index;
        _fields.Add((argument.Type, name, HandlerInstances.Argument(argument, [], "root", "root")));
        return name;
    }
}
