using System.ComponentModel;

namespace Postrider.Rpc.Hosting;

/// <summary>Registered by packages that check the authorization attributes of operations over every transport.</summary>
[EditorBrowsable(EditorBrowsableState.Advanced)]
public interface IRpcAuthorizationChecks;
