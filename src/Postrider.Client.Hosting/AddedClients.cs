using Microsoft.Extensions.DependencyInjection;

namespace Postrider.Client.Hosting;

/// <summary>The names of the clients that were added to a container: their sections are within the section of the client without a name.</summary>
internal sealed class AddedClients
{
    internal List<string> Names { get; } = [];

    internal static AddedClients Of(IServiceCollection services)
    {
        foreach (var service in services)
        {
            if (service.ServiceType == typeof(AddedClients))
                return (AddedClients)service.ImplementationInstance!;
        }

        var added = new AddedClients();
        services.AddSingleton(added);
        return added;
    }
}
