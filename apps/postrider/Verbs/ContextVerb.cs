using System.CommandLine;
using Postrider.CommandLine.Contexts;

namespace Postrider.CommandLine.Verbs;

/// <summary><c>postrider context</c>: the files are those of the <c>nats</c> tool.</summary>
internal static class ContextVerb
{
    private const string Redacted = "********";

    internal static Command Create() => new("context", "Manage contexts: named connection settings, shared with the nats tool.")
    {
        Add(), Edit(), List(), Show(), Select(), Unselect(), Remove(),
    };

    private static Argument<string> Name(bool optional = false)
    {
        var name = new Argument<string>("name") { Description = optional ? "The context; the selected one when omitted" : "The context", Arity = optional ? ArgumentArity.ZeroOrOne : ArgumentArity.ExactlyOne };
        name.Validators.Add(result =>
        {
            if (result.Tokens.Count > 0 && ContextStore.NameProblem(result.Tokens[0].Value) is { } problem) result.AddError(problem);
        });
        name.CompletionSources.Add(static _ => ContextStore.OfUser().List().Select(static known => new System.CommandLine.Completions.CompletionItem(known)));
        return name;
    }

    private static Command Add()
    {
        var (name, flags) = (Name(), new ContextFlags());
        var select = new Option<bool>("--select") { Description = "Also select it" };
        return LocalVerb.Create("add", """
            Create a context.
              postrider context add local --server nats://127.0.0.1:4222 --description 'my machine' --select
              postrider context add prod --server tls://nats.example.com --creds ~/prod.creds --tlsca ca.pem
            """, Run, [name, .. flags.All, select]);

        void Run(ParseResult result)
        {
            var store = ContextStore.OfUser();
            var context = NatsContext.Create(result.GetValue(name)!);
            if (store.Exists(context.Name)) throw new ContextException($"Context '{context.Name}' exists. Change it with 'postrider context edit {context.Name}'.");
            flags.Apply(context, result);
            if (context.Url is null) context["url"] = ServerOptions.DefaultAddress;
            store.Save(context);
            if (result.GetValue(select)) store.Select(context.Name);
            Console.WriteLine($"Added context {context.Name}{(result.GetValue(select) ? " and selected it" : "")}");
        }
    }

    private static Command Edit()
    {
        var (name, flags) = (Name(), new ContextFlags());
        return JetStreamVerb.RequireOneOf(LocalVerb.Create("edit", """
            Change the given settings and keep the others; an empty text removes one.
              postrider context edit prod --server tls://a.example.com,tls://b.example.com
            """, Run, [name, .. flags.All]), flags.All);

        void Run(ParseResult result)
        {
            var store = ContextStore.OfUser();
            var context = store.Read(result.GetValue(name)!);
            flags.Apply(context, result);
            store.Save(context);
            Console.WriteLine($"Changed context {context.Name}");
        }
    }

    private static Command List()
    {
        var json = new Option<bool>("--json") { Description = "Write JSON for scripts" };
        return LocalVerb.Create("ls", """
            List the contexts; a star marks the selected one.
              postrider context ls
            """, Run, json);

        void Run(ParseResult result)
        {
            var store = ContextStore.OfUser();
            var selected = store.Selected();
            var table = new TextTable("Name", "Server", "Description").Mark("Name", static text => text.EndsWith('*') ? CellState.Good : CellState.Plain);
            foreach (var context in store.List().Select(store.Read))
            {
                if (result.GetValue(json))
                    Console.WriteLine(JsonText.Object(("name", context.Name), ("selected", context.Name == selected), ("url", context.Url), ("description", context.Description)));
                else
                    table.Add(context.Name + (context.Name == selected ? "*" : ""), context.Url ?? "", context.Description ?? "");
            }
            if (!table.IsEmpty) Console.WriteLine(table);
        }
    }

    private static Command Show()
    {
        var name = Name(optional: true);
        var json = new Option<bool>("--json") { Description = "Write JSON for scripts" };
        return LocalVerb.Create("show", """
            Show a context; passwords, tokens and seeds are hidden.
              postrider context show prod
            """, Run, name, json);

        void Run(ParseResult result)
        {
            var store = ContextStore.OfUser();
            var chosen = result.GetValue(name) ?? store.Selected() ?? throw new ContextException("No context is selected. Name one, or select it with 'postrider context select'.");
            var context = store.Read(chosen);
            if (result.GetValue(json))
            {
                Console.WriteLine(JsonText.Object([("name", context.Name), .. ContextFlags.Members.Where(member => context[member] is not null).Select(member => (member, (object?)Shown(context, member)))]));
                return;
            }
            var text = new DetailsText().Add("Name", context.Name);
            foreach (var (member, label) in ContextFlags.Labels)
                text.Add(label, Shown(context, member));
            Console.WriteLine(text.Add("TLS First", context.TlsFirst ? "yes" : null));
        }
    }

    private static string? Shown(NatsContext context, string member)
        => member is "password" or "token" or "user_seed" or "user_jwt" && context[member] is not null ? Redacted : context[member];

    private static Command Select()
    {
        var name = Name();
        return LocalVerb.Create("select", """
            Select the context to use if none is named.
              postrider context select prod
            """, Run, name);

        void Run(ParseResult result)
        {
            var store = ContextStore.OfUser();
            store.Select(store.Read(result.GetValue(name)!).Name);
            Console.WriteLine($"Selected context {result.GetValue(name)}");
        }
    }

    private static Command Unselect() => LocalVerb.Create("unselect", """
        Clear the selected context.
          postrider context unselect
        """, static _ =>
        {
            ContextStore.OfUser().Select(null);
            Console.WriteLine("No context is selected");
        });

    private static Command Remove()
    {
        var (name, force) = (Name(), Confirmation.Force());
        return LocalVerb.Create("rm", """
            Delete a context.
              postrider context rm prod
            """, Run, name, force);

        void Run(ParseResult result)
        {
            var store = ContextStore.OfUser();
            var context = store.Read(result.GetValue(name)!);
            Confirmation.Require(result.GetValue(force), $"delete context {context.Name}");
            if (store.Selected() == context.Name) store.Select(null);
            store.Delete(context.Name);
            Console.WriteLine($"Deleted context {context.Name}");
        }
    }
}
