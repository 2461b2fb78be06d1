using Postrider.Load;
using Postrider.Load.Clients;
using Postrider.Load.Handshakes;
using Postrider.Load.Holding;
using Postrider.Load.Hostile;
using Postrider.Load.Native;
using Postrider.Load.Tables;

try
{
    if (args is [Holder.Verb, .. var rest] && rest.Length == 4)
        return Holder.Run(rest);

    if (args is [ClientDriver.Verb, .. var drive] && drive.Length == 4)
        return await ClientDriver.RunAsync(drive);

    if (args is [Attacker.Verb, .. var attack] && attack.Length == 6)
        return Attacker.Run(attack);

    if (args is [Handshaker.Verb, .. var handshakes] && handshakes.Length == 4)
        return Handshaker.Run(handshakes);

    if (await PeerClients.TryRunAsync(args) is { } peer)
        return peer;

    ProcessClock.RaiseDescriptorLimit();
    var options = Options.Parse(args);
    if (options is { Verb: "hostile", Separate: true, Processors: null })
    {
        var processors = new ProcessorSplit();
        processors.Restart([.. args, Options.ProcessorsOption, $"{processors}"]);
    }

    return new LoadRun(options, Console.Out, Console.Error).Run();
}
catch (LoadException e)
{
    Console.Error.WriteLine($"load: {e.Message}");
    return 1;
}
